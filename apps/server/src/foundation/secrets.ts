import * as crypto from 'node:crypto';
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';
import { availableParallelism } from 'node:os';
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

/** The secret with which everything is sealed from now on, and the one before it while something is still sealed with that. */
export interface Secrets {
  current: string;
  previous: string | null;
}

/** Encrypts what must be stored but never shown. `context` binds a secret to its row: in another row it does not open. */
export interface SecretBox {
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** A key of which that of the box cannot be worked out: see marks.ts. */
  markKey(): Buffer;
  /**
   * Seals with the key in force what either key opens. What neither opens keeps its content, marked as sealed with a key that is not known: a
   * rotation comes to its end, and nothing is lost.
   */
  reseal(sealed: Buffer, context: string): Buffer;
  /** Which of the two keys opens it; `null` if neither does. */
  keyOf(sealed: Buffer, context: string): keyof Secrets | null;
  keys(): KeyIds;
}

/** Which keys there are: the same text for the same key on all machines, from which the key cannot be worked out. */
export interface KeyIds {
  current: string;
  previous: string | null;
}

/** Those that a machine has. */
export const keyList = ({ current, previous }: KeyIds) => (previous === null ? [current] : [current, previous]);

const VERSION = 2;
/** Before keys had ids: version, nonce, tag, text. */
export const WITHOUT_ID = 1;
const ID_BYTES = 8;
const UNKNOWN = Buffer.alloc(ID_BYTES);
/** A shorter one would be easier to forge. */
const TAG = { authTagLength: 16 };

/** Its first bytes say with which key a text is sealed. */
export const prefixOf = (keyId: string) => Buffer.concat([Buffer.of(VERSION), Buffer.from(keyId, 'hex')]);
export const PREFIX_BYTES = 1 + ID_BYTES;

/** The id of the key with which a text is sealed; `null` where it does not say. */
export function keyIdOf(sealed: Buffer): string | null {
  const { id } = partsOf(sealed);
  return id === null || id.equals(UNKNOWN) ? null : id.toString('hex');
}

/**
 * AES-256-GCM: one byte version, 8 bytes id of the key, 12 bytes nonce, 16 bytes tag, then the text. A function is asked at each use: another process
 * may have brought a new secret in force.
 */
export function secretBox(given: string | (() => Secrets)): SecretBox {
  const read = typeof given === 'string' ? () => ({ current: given, previous: null }) : given;
  const known = new Map<string, Key>();
  const keyFrom = (secret: string) => {
    const key = known.get(secret) ?? deriveKey(secret);
    known.set(secret, key);
    return key;
  };
  const ring = (): Ring => {
    const { current, previous } = read();
    return {
      current: keyFrom(current),
      previous: previous === null || previous === current ? null : keyFrom(previous),
    };
  };
  return {
    seal: (plain, context) => sealWith(ring().current, plain, context),
    open(sealed, context) {
      const opened = openWith(ring(), sealed, context);
      if (opened === null) throw new Error('A stored secret was sealed with another key, or changed.');
      return opened.plain;
    },
    markKey: () => ring().current.markKey,
    reseal(sealed, context) {
      const keys = ring();
      const opened = openWith(keys, sealed, context);
      if (opened !== null) return sealWith(keys.current, opened.plain, context);
      return Buffer.concat([Buffer.of(VERSION), UNKNOWN, partsOf(sealed).body]);
    },
    keyOf: (sealed, context) => openWith(ring(), sealed, context)?.key ?? null,
    keys() {
      const { current, previous } = ring();
      return { current: current.id.toString('hex'), previous: previous?.id.toString('hex') ?? null };
    },
  };
}

interface Key {
  id: Buffer;
  key: Buffer;
  markKey: Buffer;
}

type Ring = { current: Key; previous: Key | null };

function deriveKey(secret: string): Key {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'keepwatch', purpose, length));
  return { id: derive('key id', ID_BYTES), key: derive('secrets at rest', 32), markKey: derive('marks', 32) };
}

function sealWith({ id, key }: Key, plain: string, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), body]);
}

function openWith(keys: Ring, sealed: Buffer, context: string): { key: keyof Secrets; plain: string } | null {
  const { id, body } = partsOf(sealed);
  for (const name of ['current', 'previous'] as const) {
    const key = keys[name];
    if (key === null || !(id === null || id.equals(UNKNOWN) || id.equals(key.id))) continue;
    const plain = decipher(key.key, body, context);
    if (plain !== null) return { key: name, plain };
  }
  return null;
}

/** `null` where it was sealed with another key, for another place, or was changed. */
function decipher(key: Buffer, body: Buffer, context: string): string | null {
  try {
    const opening = createDecipheriv('aes-256-gcm', key, body.subarray(0, 12), TAG).setAAD(Buffer.from(context));
    opening.setAuthTag(body.subarray(12, 28));
    return opening.update(body.subarray(28), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return null;
  }
}

/** The id of the key, if there is one, and what follows it: nonce, tag, text. */
function partsOf(sealed: Buffer): { id: Buffer | null; body: Buffer } {
  if (sealed[0] === WITHOUT_ID) return { id: null, body: sealed.subarray(1) };
  if (sealed[0] === VERSION) return { id: sealed.subarray(1, PREFIX_BYTES), body: sealed.subarray(PREFIX_BYTES) };
  throw new Error('A stored secret was written by a newer version of this program.');
}
