import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolderStore } from '../../store/folder/folder-store.ts';
import { memoryStore, namesIn } from '../../store/memory-store.fixture.ts';
import { testFolder } from '../../store/test-folder.fixture.ts';
import type { Fault } from './fault.ts';
import { FaultStore } from './fault-store.ts';

async function faulty(faults: Fault[], seed = 1, die?: () => void) {
  const memory = memoryStore();
  await memory.store.create('there', Buffer.from('0123456789'));
  return { ...memory, faulty: new FaultStore(memory.store, faults, seed, die) };
}

test('is the store itself without faults', async () => {
  const { faulty: store } = await faulty([]);
  expect(await store.create('a', Buffer.from('x'))).toBe(true);
  expect(String(await store.readRange('there', 2, 3))).toBe('234');
  expect(await namesIn(store)).toEqual(['a', 'there']);
  await store.delete('a');
  expect(await namesIn(store)).toEqual(['there']);
});

test('fails before or after the work, as configured', async () => {
  const { faulty: store, objects } = await faulty([
    { kind: 'fail', names: /^before/ },
    { kind: 'fail-after', names: /^after/ },
    { kind: 'full', names: /^full/ },
  ]);
  const unreachable = { code: 'store-unreachable', isRetryable: true };
  await expect(store.create('before', Buffer.from('x'))).rejects.toMatchObject(unreachable);
  await expect(store.create('after', Buffer.from('x'))).rejects.toMatchObject(unreachable);
  await expect(store.create('full', Buffer.from('x'))).rejects.toMatchObject({
    code: 'store-full',
    isRetryable: false,
  });
  expect([...objects.keys()]).toEqual(['there', 'after']);
});

test('stores too little, another bit, or nothing, and says that all is well', async () => {
  const { faulty: store, objects } = await faulty([
    { kind: 'cut-short', names: /^cut/ },
    { kind: 'flip-bit', names: /^flipped/ },
    { kind: 'lose', names: /^lost/ },
  ]);
  const bytes = Buffer.from('0123456789');
  for (const name of ['cut', 'flipped', 'lost']) expect(await store.create(name, bytes)).toBe(true);
  expect(String(objects.get('cut'))).toBe('01234');
  const changed = bytes.map((byte, at) => byte ^ (objects.get('flipped')?.at(at) ?? 0)).filter((bits) => bits !== 0);
  expect(changed).toHaveLength(1);
  expect(changed[0]?.toString(2).replaceAll('0', '')).toBe('1');
  expect(objects.has('lost')).toBe(false);
});

test('reads too little, another bit, or nothing', async () => {
  const at = (kind: Fault['kind'], call: number): Fault => ({ kind, calls: ['read', 'readRange', 'list'], at: call });
  const { faulty: store } = await faulty([
    at('cut-short', 1),
    at('flip-bit', 2),
    at('lose', 3),
    at('cut-short', 4),
    at('lose', 5),
  ]);
  expect(String(await store.read('there'))).toBe('01234');
  expect(String(await store.read('there'))).not.toBe('0123456789');
  await expect(store.read('there')).rejects.toMatchObject({ code: 'not-found' });
  await expect(store.readRange('there', 0, 5)).rejects.toMatchObject({ code: 'damaged' });
  expect(await namesIn(store)).toEqual([]);
  expect(await namesIn(store)).toEqual(['there']);
});

test('goes wrong at the same calls for the same seed, and at others for another', async () => {
  const failures = async (seed: number) => {
    const { faulty: store } = await faulty([{ kind: 'fail', chance: 0.3 }], seed);
    const failed: number[] = [];
    for (let call = 0; call < 200; call++) await store.read('there').catch(() => failed.push(call));
    return failed;
  };
  const first = await failures(7);
  expect(await failures(7)).toEqual(first);
  expect(await failures(8)).not.toEqual(first);
  expect(first.length).toBeGreaterThan(35);
  expect(first.length).toBeLessThan(85);
});

test('dies at the n-th call, before or after the work, and that call never ends', async () => {
  for (const [kind, expected] of [
    ['die-before', ['there', 'a']],
    ['die-after', ['there', 'a', 'b']],
  ] as const) {
    let dead: () => void = () => undefined;
    const death = new Promise<void>((resolve) => {
      dead = resolve;
    });
    const { faulty: store, objects } = await faulty([{ kind, calls: ['create'], at: 2 }], 1, dead);
    await store.create('a', Buffer.from('x'));
    const answered = store.create('b', Buffer.from('y')).then(() => 'answered');
    expect(await Promise.race([answered, death.then(() => 'dead')])).toBe('dead');
    expect([...objects.keys()]).toEqual(expected);
  }
});

test('ends the process without a word by default', async () => {
  const folder = await testFolder();
  const program = `
    const { openFolderStore } = await import(process.argv[1]);
    const { FaultStore } = await import(process.argv[2]);
    const store = new FaultStore(await openFolderStore(process.argv[3]), [{ kind: 'die-after', at: 2 }]);
    for (const name of ['a', 'b', 'c']) await store.create(name, Buffer.from(name));
  `;
  const files = [
    join(import.meta.dirname, '../../store/folder/folder-store.ts'),
    join(import.meta.dirname, 'fault-store.ts'),
  ];
  const arguments_ = ['--input-type=module', '-e', program, ...files, folder];
  const [code, signal] = await once(spawn(process.execPath, arguments_, { stdio: 'inherit' }), 'exit');
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  expect(await namesIn(await openFolderStore(folder))).toEqual(['a', 'b']);
});
