import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { EngineError } from '../model/engine-error.ts';
import { keyOf } from './keys.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const MAGIC = Buffer.concat([Buffer.from('KWSEAL'), Buffer.from([1, 0])]);
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** The key is used once, so its nonce may be constant. */
const NONCE = Buffer.alloc(12);
const PLAIN_BYTES_MAX = 2 ** 30;

/** Seals text under the name its object will have (format, 4). */
export async function seal(encryption: Buffer, name: string, text: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(encryption, salt, 'sealed'), NONCE);
  cipher.setAAD(Buffer.from(name));
  const body = cipher.update(await compress(Buffer.from(text)));
  return Buffer.concat([MAGIC, salt, body, cipher.final(), cipher.getAuthTag()]);
}

/** @throws `damaged` when the object was changed, cut, moved, or written under another key */
export async function unseal(encryption: Buffer, name: string, sealed: Buffer): Promise<string> {
  const start = MAGIC.length + SALT_BYTES;
  if (sealed.length < start + TAG_BYTES || !sealed.subarray(0, 6).equals(MAGIC.subarray(0, 6))) throw damaged(name);
  if (!sealed.subarray(0, MAGIC.length).equals(MAGIC)) throw newer(name);
  const key = keyOf(encryption, sealed.subarray(MAGIC.length, start), 'sealed');
  const decipher = createDecipheriv('aes-256-gcm', key, NONCE);
  decipher.setAAD(Buffer.from(name));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const frame = Buffer.concat([decipher.update(sealed.subarray(start, -TAG_BYTES)), decipher.final()]);
    return (await decompress(frame, { maxOutputLength: PLAIN_BYTES_MAX })).toString();
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function damaged(name: string, cause?: unknown): EngineError {
  return new EngineError(
    'damaged',
    `The object ${name} was changed or cut after it was written. Bring it back from a copy of the repository.`,
    { cause },
  );
}

function newer(name: string): EngineError {
  return new EngineError(
    'newer-repository',
    `The object ${name} was written by a newer version of Keepwatch: use that version or a later one.`,
  );
}
