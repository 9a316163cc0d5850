import { randomUUID } from 'node:crypto';
import { EngineError } from '../model/engine-error.ts';
import { isAbsent } from '../store/has-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { parseJson } from './parse-json.ts';

export const IDENTITY_NAME = 'keepwatch-repository';
/** The format that this version reads and writes (docs/repository-format.md). */
export const FORMAT = 2;

export interface ChunkSizes {
  minBytes: number;
  /** A power of two. */
  averageBytes: number;
  maxBytes: number;
}

/** Small enough to find a changed paragraph in a large file, large enough that a drive of 10 GB has 10,000 rows in the catalog. */
export const CHUNK_SIZES: ChunkSizes = { minBytes: 262_144, averageBytes: 1_048_576, maxBytes: 4_194_304 };

export interface Identity {
  id: string;
  createdAt: string;
  chunker: ChunkSizes;
}

export function newIdentity(now: Date, chunker: ChunkSizes = CHUNK_SIZES): Identity {
  return { id: randomUUID(), createdAt: now.toISOString(), chunker };
}

export function identityBytes(identity: Identity): Buffer {
  return Buffer.from(`${JSON.stringify({ product: IDENTITY_NAME, format: FORMAT, ...identity }, null, 2)}\n`);
}

/** @throws `no-repository`, `newer-repository`, `damaged`, and what the store throws */
export async function readIdentity(store: ObjectStore): Promise<Identity> {
  const bytes = await store.read(IDENTITY_NAME).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
    throw new EngineError(
      'no-repository',
      `There is no repository in ${store.description}. Create one, or check the place.`,
    );
  });
  return parseIdentity(bytes, store.description);
}

function parseIdentity(bytes: Buffer, place: string): Identity {
  const value: unknown = parseJson(bytes);
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const format = fields.get('format');
  if (fields.get('product') === IDENTITY_NAME && typeof format === 'number' && format > FORMAT) {
    throw new EngineError(
      'newer-repository',
      `The repository in ${place} has format ${format}; this version of Keepwatch knows format ${FORMAT}. Use a newer version.`,
    );
  }
  if (fields.get('product') === IDENTITY_NAME && format === 1) {
    throw new EngineError(
      'bad-request',
      `The repository in ${place} has format 1, which only versions before the first release wrote. Make a new one with 'init'.`,
    );
  }
  if (format !== FORMAT || !isIdentity(value)) {
    throw new EngineError(
      'damaged',
      `The object ${IDENTITY_NAME} in ${place} is not what Keepwatch wrote. Restore it from a copy of the repository.`,
    );
  }
  const { id, createdAt, chunker } = value;
  return { id, createdAt, chunker };
}

/** Whether a value of JSON says what a repository is; it may say more. */
export function isIdentity(value: unknown): value is Identity {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    ['id', 'createdAt'].every((name) => typeof fields.get(name) === 'string') && isChunkSizes(fields.get('chunker'))
  );
}

const CHUNK_BYTES_MAX = 4_194_304;

function isChunkSizes(value: unknown): value is ChunkSizes {
  if (typeof value !== 'object' || value === null) return false;
  const sizes = new Map<string, unknown>(Object.entries(value));
  const [min, average, max] = ['minBytes', 'averageBytes', 'maxBytes'].map((name) => Number(sizes.get(name)));
  if (min === undefined || average === undefined || max === undefined) return false;
  return min > 0 && min <= average && average <= max && max <= CHUNK_BYTES_MAX && Number.isInteger(Math.log2(average));
}
