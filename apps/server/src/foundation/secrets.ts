import * as crypto from 'node:crypto';
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

/**
 * Passwords that are hashed at a time: each takes a whole processor for a moment, of which one is left for all other requests, and one of the four
 * threads in which Node reads files and looks up names, of which two are left.
 */
const HASHES_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));
const inTurn = pLimit(HASHES_AT_ONCE);
const hashInThread = promisify(crypto.argon2);
const argon2: typeof hashInThread = (...given) => inTurn(() => hashInThread(...given));

/** A new opaque token: 256 random bits, as URL-safe text. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns what is stored of a token. A fast hash is enough: a token has 256 random bits and cannot be guessed. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export const newId = randomUUID;

/** argon2id as OWASP advises for 2024 and later: 19 MiB, 2 passes, 1 lane. */
const ARGON = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

/** A password's hash with its salt and parameters: `argon2id$19456$2$1$salt$hash`. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await argon2('argon2id', { message: password.normalize('NFC'), nonce: salt, ...ARGON });
  return [
    'argon2id',
    ARGON.memory,
    ARGON.passes,
    ARGON.parallelism,
    salt.toString('base64'),
    hash.toString('base64'),
  ].join('$');
}

/** Whether `password` is the one that was hashed. A hash of another form is never equal. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, memory, passes, parallelism, salt, hash] = stored.split('$');
  if (kind !== 'argon2id' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const actual = await argon2('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/** Encrypts what must be stored but never shown. `context` binds a secret to its row: in another row it does not open. */
export interface SecretBox {
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** 32 bytes that look random, the same for the same text, and that cannot be worked out without the key. */
  mark(text: string, context: string): Buffer;
}

const VERSION = 1;

/** AES-256-GCM: one byte version, 12 bytes nonce, 16 bytes tag, then the text. */
export function secretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, 'keepwatch', 'secrets at rest', 32));
  const markKey = Buffer.from(hkdfSync('sha256', secret, 'keepwatch', 'marks', 32));
  return {
    seal(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION) throw new Error('A stored secret was written by a newer version of this program.');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13)).setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(13, 29));
      return decipher.update(sealed.subarray(29), undefined, 'utf8') + decipher.final('utf8');
    },
    mark: (text, context) => createHmac('sha256', markKey).update(`${context}\n${text}`).digest(),
  };
}

/** Returns the key of all secrets: the given one, or one created once in the data folder, readable by its owner alone. */
export async function readSecret(given: string, dataDir: string): Promise<string> {
  if (given !== '') return given;
  const path = join(dataDir, 'secret');
  await mkdir(dataDir, { recursive: true });
  // Written beside and linked into place: of two processes that start at once both read the same whole secret.
  const draft = `${path}.${newId()}`;
  await writeFile(draft, newToken(), { mode: 0o600, flush: true });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
}
