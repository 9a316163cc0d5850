import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { gathered } from '../../../testing/gathered.ts';
import { checkedBytes, listedBytes } from './checked-bytes.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

const BYTES = Buffer.from('the bytes of a file');
const sha256 = createHash('sha256').update(BYTES).digest('hex');
const quickXor = () => {
  const hash = new QuickXorHash();
  hash.update(BYTES);
  return hash.digest();
};

async function* inTwo(bytes: Buffer) {
  yield bytes.subarray(0, 5);
  yield bytes.subarray(5);
}

const read = (entity: object, bytes = BYTES) =>
  gathered(checkedBytes(inTwo(bytes), listedBytes({ ...entity }), 'a.txt'));
const hashed = (hashes: object, size = BYTES.length) => ({ size, file: { hashes } });

test.each([
  ['its SHA-256, in whatever letters', hashed({ sha256Hash: sha256.toUpperCase() })],
  ['its QuickXorHash', hashed({ quickXorHash: quickXor() })],
  ['its SHA-256 rather than its QuickXorHash', hashed({ sha256Hash: sha256, quickXorHash: 'wrong' })],
  ['its hash, although another length is listed', hashed({ quickXorHash: quickXor() }, 7)],
  ['its length, where no hash is listed', hashed({})],
  ['nothing, where nothing is listed', {}],
])('a file is checked by %s', async (_, entity) => {
  expect(Buffer.concat(await read(entity)).equals(BYTES)).toBe(true);
});

test.each([
  ['another SHA-256', hashed({ sha256Hash: '00' }), BYTES],
  ['another QuickXorHash', hashed({ quickXorHash: 'AAAA' }), BYTES],
  ['one byte that is another', hashed({ quickXorHash: quickXor() }), Buffer.from('the bytes of a fil?')],
  ['a byte too few', hashed({}), BYTES.subarray(1)],
  ['no bytes', hashed({ sha256Hash: sha256 }), Buffer.alloc(0)],
])('a file with %s is refused by its name, and asked for again', async (_, entity, bytes) => {
  await expect(read(entity, bytes)).rejects.toMatchObject({
    code: 'source-refused',
    isRetryable: true,
    message: expect.stringContaining('a.txt'),
  });
});
