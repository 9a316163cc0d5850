import { expect, test } from 'vitest';
import { fromBytes, toBytes } from './frozen-bytes.ts';

test('what was frozen comes back, bytes as bytes', () => {
  const value = { text: '漢 é', list: [1, null, { file: Buffer.from([0, 255]) }], empty: Buffer.alloc(0) };
  expect(fromBytes(toBytes(value))).toEqual(value);
});

test('equal values give equal bytes, however the engine created their strings', () => {
  const text = 'a line of plain letters, no more';
  const cut = `漢${text}`.slice(1);
  expect(toBytes({ text: cut })).toEqual(toBytes({ text }));
});
