import type { ObjectStore } from '../store/object-store.ts';

/** A store that counts what it is asked for, by the folder of the names. */
export function countingStore(store: ObjectStore) {
  const requests = new Map<string, number>();
  const count = (call: string, name: string) => {
    const key = `${call} ${name.split('/')[0]}`;
    requests.set(key, (requests.get(key) ?? 0) + 1);
  };
  const counted: ObjectStore = {
    description: store.description,
    create(name, bytes, options) {
      count('create', name);
      return store.create(name, bytes, options);
    },
    read(name) {
      count('read', name);
      return store.read(name);
    },
    readRange(name, start, length) {
      count('read', name);
      return store.readRange(name, start, length);
    },
    list(prefix) {
      count('list', prefix);
      return store.list(prefix);
    },
    delete(name) {
      count('delete', name);
      return store.delete(name);
    },
    close: () => store.close(),
  };
  /** Requests since the last call, whose folder one of these is. */
  const takeRequests = (...folders: string[]): number => {
    let sum = 0;
    for (const [key, requested] of requests) if (folders.includes(key.split(' ')[1] ?? '')) sum += requested;
    requests.clear();
    return sum;
  };
  return { store: counted, requests, takeRequests };
}
