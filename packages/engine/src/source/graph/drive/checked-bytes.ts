import { createHash } from 'node:crypto';
import { EngineError } from '../../../model/engine-error.ts';
import { type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

/** What the source lists of a file's bytes before they are read. */
export interface ListedBytes {
  sizeBytes: number | null;
  /** SHA-256 in hexadecimal digits, where it is listed; else the QuickXorHash in base64; `null` for neither. */
  hash: { type: 'sha256' | 'quickXor'; value: string } | null;
}

/** @param entity a `driveItem`; https://learn.microsoft.com/graph/api/resources/hashes */
export function listedBytes(entity: JsonObject): ListedBytes {
  const { sha256Hash, quickXorHash } = objectOf(objectOf(entity['file'])['hashes']);
  const [sha256, quickXor] = [textOf(sha256Hash), textOf(quickXorHash)];
  const sizeBytes = numberOf(entity['size']) ?? null;
  if (sha256 !== undefined) return { sizeBytes, hash: { type: 'sha256', value: sha256.toLowerCase() } };
  return { sizeBytes, hash: quickXor === undefined ? null : { type: 'quickXor', value: quickXor } };
}

/** Bytes that differ from what the source lists. */
export class WrongBytes extends EngineError {
  constructor(name: string, found: string) {
    super(
      'source-refused',
      `What Microsoft 365 gave out as ‘${name}’ is not what it says the file is (${found}). It is read again with the next run; if it stays so, open the file and save it again.`,
      { isRetryable: true },
    );
  }
}

/**
 * The bytes as they pass, counted and hashed. The last of them come before they are known to be right.
 * @throws WrongBytes at their end when the length or hash is not the listed one
 */
export async function* checkedBytes(
  bytes: AsyncIterable<Uint8Array>,
  listed: ListedBytes,
  name: string,
): AsyncGenerator<Uint8Array> {
  const hasher = hasherOf(listed);
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    hasher?.update(chunk);
    yield chunk;
  }
  // A hash says more than a length, and the vendor's lengths of Office files are at times those before it wrote into them.
  if (hasher === null) {
    if (listed.sizeBytes !== null && sizeBytes !== listed.sizeBytes)
      throw new WrongBytes(name, `${sizeBytes} bytes instead of ${listed.sizeBytes}`);
  } else if (hasher.digest() !== listed.hash?.value)
    throw new WrongBytes(name, `another hash, over ${sizeBytes} of ${listed.sizeBytes ?? 'unknown'} bytes`);
}

interface Hasher {
  update(bytes: Uint8Array): unknown;
  digest(): string;
}

function hasherOf({ hash }: ListedBytes): Hasher | null {
  if (hash === null) return null;
  if (hash.type === 'quickXor') return new QuickXorHash();
  const sha256 = createHash('sha256');
  return { update: (bytes) => sha256.update(bytes), digest: () => sha256.digest('hex') };
}
