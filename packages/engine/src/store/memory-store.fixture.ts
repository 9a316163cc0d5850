import { EngineError } from '../model/engine-error.ts';
import type { ObjectFacts, ObjectStore } from './object-store.ts';
import { tooShort } from './too-short.ts';

/** A store in memory, for tests of the layers above stores: it counts its calls. */
export function memoryStore() {
  const objects = new Map<string, Buffer>();
  const calls: string[] = [];
  function bytesOf(name: string): Buffer {
    const bytes = objects.get(name);
    if (bytes === undefined) throw new EngineError('not-found', `${name} is not there.`);
    return bytes;
  }
  const store: ObjectStore = {
    description: 'memory',
    async create(name, bytes) {
      calls.push(`create ${name}`);
      if (objects.has(name)) return false;
      objects.set(name, Buffer.from(bytes));
      return true;
    },
    async read(name) {
      calls.push(`read ${name}`);
      return Buffer.from(bytesOf(name));
    },
    async readRange(name, start, length) {
      calls.push(`readRange ${name}`);
      const bytes = bytesOf(name);
      if (bytes.length < start + length) throw tooShort(name, bytes.length, start, length);
      return Buffer.from(bytes.subarray(start, start + length));
    },
    async *list(prefix): AsyncGenerator<ObjectFacts> {
      calls.push(`list ${prefix}`);
      for (const name of [...objects.keys()].filter((key) => key.startsWith(prefix)).sort())
        yield { name, sizeBytes: bytesOf(name).length, createdAt: new Date(0) };
    },
    async delete(name) {
      calls.push(`delete ${name}`);
      objects.delete(name);
    },
    async close() {
      calls.push('close');
    },
  };
  return { store, objects, calls };
}

export async function namesIn(store: ObjectStore, prefix = ''): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(prefix)) names.push(name);
  return names;
}
