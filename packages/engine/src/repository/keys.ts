import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { EngineError } from '../model/engine-error.ts';
import { Gate } from '../model/gate.ts';
import { type Identity, isIdentity } from './identity.ts';
import { parseJson } from './parse-json.ts';

/** The three keys that are derived from a repository key (format, 3). */
export interface RepositoryKeys {
  encryption: Buffer;
  /** Not as bytes: they would be made into a key again for every chunk. */
  chunkNames: KeyObject;
  chunker: Buffer;
}

/** A repository key wrapped by a password: the JSON of a `keys/` object. */
export interface WrappedKey {
  format: 1;
  /** What it is the key of, as the identity object says it: that one may be lost. Keys of the first programs lack it. */
  repository?: Identity;
  createdAt: string;
  label: string;
  derivation: 'argon2id';
  memoryKiB: number;
  passes: number;
  lanes: number;
  salt: string;
  nonce: string;
  wrapped: string;
}

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const derive = promisify(argon2);

/** How hard guessing a password is made; parameters of RFC 9106's second recommendation. */
export interface PasswordCost {
  memoryKiB: number;
  passes: number;
  lanes: number;
}

export const PASSWORD_COST: PasswordCost = { memoryKiB: 65_536, passes: 3, lanes: 4 };
/** The object may come from an attacker who wants to exhaust the reader. */
const MEMORY_KIB_MAX = 1_048_576;
/** Memory times passes: some seconds of a processor, sixteen times what is written today. */
const WORK_KIB_MAX = 4_194_304;
const LANES_MAX = 64;
/** Memory that all derivations of the process share, since a worker opens many repositories at once: a worker begins with many at once. */
const deriving = new Gate(PASSWORD_COST.memoryKiB);

export function newRepositoryKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

export function deriveKeys(repositoryKey: Buffer): RepositoryKeys {
  const part = (name: string) => Buffer.from(hkdfSync('sha256', repositoryKey, '', `keepwatch ${name}`, KEY_BYTES));
  return { encryption: part('encryption'), chunkNames: createSecretKey(part('chunk names')), chunker: part('chunker') };
}

/** The key of one pack or sealed object. */
export function keyOf(encryption: Uint8Array, salt: Buffer, purpose: 'pack' | 'sealed'): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', encryption, salt, `keepwatch ${purpose}`, KEY_BYTES)));
}

/** The first 16 bytes of the keyed hash that names a chunk or an object. */
export function keyedName(chunkNames: KeyObject, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHmac('sha256', chunkNames);
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}

export async function wrapKey(
  repositoryKey: Buffer,
  repository: Identity,
  password: string,
  { label, createdAt, cost = PASSWORD_COST }: { label: string; createdAt: Date; cost?: PasswordCost },
): Promise<WrappedKey> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await passwordKey(password, salt, cost), nonce);
  cipher.setAAD(boundTo(repository.id));
  const wrapped = Buffer.concat([cipher.update(repositoryKey), cipher.final(), cipher.getAuthTag()]);
  return {
    format: 1,
    repository,
    createdAt: createdAt.toISOString(),
    label,
    derivation: 'argon2id',
    ...cost,
    salt: salt.toString('base64url'),
    nonce: nonce.toString('base64url'),
    wrapped: wrapped.toString('base64url'),
  };
}

/** @returns `null` when another password wrapped it */
export async function unwrapKey(key: WrappedKey, repositoryId: string, password: string): Promise<Buffer | null> {
  const wrapped = Buffer.from(key.wrapped, 'base64url');
  const derived = await passwordKey(password, Buffer.from(key.salt, 'base64url'), key);
  const decipher = createDecipheriv('aes-256-gcm', derived, Buffer.from(key.nonce, 'base64url'));
  decipher.setAAD(boundTo(repositoryId));
  decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(wrapped.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    // The tag does not fit: that is what a wrong password looks like, not a fault.
    return null;
  }
}

/** @throws `damaged` for what is no wrapped key, or one that asks for an absurd amount of work */
export function readWrappedKey(bytes: Buffer, name: string): WrappedKey {
  const value: unknown = parseJson(bytes);
  if (!isWrappedKey(value)) throw new EngineError('damaged', `The object ${name} is not a key of format 1.`);
  const isBearable =
    value.memoryKiB <= MEMORY_KIB_MAX && value.memoryKiB * value.passes <= WORK_KIB_MAX && value.lanes <= LANES_MAX;
  const isArgon2 = value.memoryKiB >= 8 * value.lanes;
  if (!isBearable || !isArgon2)
    throw new EngineError(
      'damaged',
      `The key ${name} demands more memory or computing time than Keepwatch uses; it was not written by Keepwatch. Delete it when another key opens the repository.`,
    );
  return value;
}

function isWrappedKey(value: unknown): value is WrappedKey {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const isCount = (name: string) => Number.isInteger(fields.get(name)) && Number(fields.get(name)) > 0;
  const isText = (name: string) => typeof fields.get(name) === 'string';
  return (
    fields.get('format') === 1 &&
    fields.get('derivation') === 'argon2id' &&
    (fields.get('repository') === undefined || isIdentity(fields.get('repository'))) &&
    ['memoryKiB', 'passes', 'lanes'].every(isCount) &&
    ['createdAt', 'label', 'salt', 'nonce', 'wrapped'].every(isText) &&
    hasBytes(fields.get('salt'), SALT_BYTES) &&
    hasBytes(fields.get('nonce'), NONCE_BYTES) &&
    hasBytes(fields.get('wrapped'), KEY_BYTES + TAG_BYTES)
  );
}

function hasBytes(value: unknown, count: number): boolean {
  return Buffer.from(String(value), 'base64url').length === count;
}

async function passwordKey(
  password: string,
  salt: Buffer,
  { memoryKiB, passes, lanes }: PasswordCost,
): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'));
  await deriving.enter(memoryKiB);
  try {
    return await derive('argon2id', {
      message,
      nonce: salt,
      parallelism: lanes,
      tagLength: KEY_BYTES,
      memory: memoryKiB,
      passes,
    });
  } finally {
    deriving.leave(memoryKiB);
  }
}

function boundTo(repositoryId: string): Buffer {
  return Buffer.from(`keepwatch-key${repositoryId}`);
}
