import { createHash } from 'node:crypto';
import { EngineError } from '../../../model/engine-error.ts';
import { type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

/** What the source tells of a file's bytes before they are read. */
export interface ToldBytes {
  sizeBytes: number | null;
  /** SHA-256 in hexadecimal digits, where it is told; else the QuickXorHash in base64; `null` for neither. */
  hash: { type: 'sha256' | 'quickXor'; value: string } | null;
}

/** @param entity a `driveItem`; https://learn.microsoft.com/graph/api/resources/hashes */
export function toldBytes(entity: JsonObject): ToldBytes {
  const { sha256Hash, quickXorHash } = objectOf(objectOf(entity['file'])['hashes']);
  const [sha256, quickXor] = [textOf(sha256Hash), textOf(quickXorHash)];
  const sizeBytes = numberOf(entity['size']) ?? null;
  if (sha256 !== undefined) return { sizeBytes, hash: { type: 'sha256', value: sha256.toLowerCase() } };
  return { sizeBytes, hash: quickXor === undefined ? null : { type: 'quickXor', value: quickXor } };
}

/** Bytes that are not those the source tells of. */
export class WrongBytes extends EngineError {
  constructor(name: string, found: string) {
    super(
      'source-refused',
      `What Microsoft 365 gave out as ‘${name}’ is not what it says the file is (${found}). It is read again with the next run; if it stays so, open the file and save it anew.`,
      { isRetryable: true },
    );
  }
}

/**
 * The bytes as they pass, counted and hashed. The last of them come before they are known to be right.
 * @throws WrongBytes at their end when length or hash are not as told
 */
export async function* checkedBytes(
  bytes: AsyncIterable<Uint8Array>,
  told: ToldBytes,
  name: string,
): AsyncGenerator<Uint8Array> {
  const hasher = hasherOf(told);
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    hasher?.update(chunk);
    yield chunk;
  }
  // A hash says more than a length, and the vendor's lengths of Office files are at times those before it wrote into them.
  if (hasher === null) {
    if (told.sizeBytes !== null && sizeBytes !== told.sizeBytes)
      throw new WrongBytes(name, `${sizeBytes} bytes instead of ${told.sizeBytes}`);
  } else if (hasher.digest() !== told.hash?.value)
    throw new WrongBytes(name, `another hash, over ${sizeBytes} of ${told.sizeBytes ?? 'unknown'} bytes`);
}

interface Hasher {
  update(bytes: Uint8Array): unknown;
  digest(): string;
}

function hasherOf({ hash }: ToldBytes): Hasher | null {
  if (hash === null) return null;
  if (hash.type === 'quickXor') return new QuickXorHash();
  const sha256 = createHash('sha256');
  return { update: (bytes) => sha256.update(bytes), digest: () => sha256.digest('hex') };
}
