import { createHash } from 'node:crypto';
import type { Hashes } from '../../originals.ts';
import { QuickXorHash } from '../drive/quick-xor-hash.ts';

/** Hashes bytes as they come. */
export async function hashesOf(bytes: AsyncIterable<Uint8Array>): Promise<Hashes> {
  const sha256 = createHash('sha256');
  const quickXor = new QuickXorHash();
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sha256.update(chunk);
    quickXor.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: sha256.digest('hex'), quickXor: quickXor.digest() };
}
