import { createHash, type KeyObject } from 'node:crypto';
import { EngineError } from '../../model/engine-error.ts';
import { isAbsent } from '../../store/has-object.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { ChunkEntry, StoredPack } from '../commit.ts';
import { keyOf, type RepositoryKeys } from '../keys.ts';
import { chunkIn, openBody } from './pack-body.ts';
import { packObjectName } from './pack-builder.ts';
import { openDirectory, PACK_END, saltOf, TRAILER_BYTES } from './pack-layout.ts';

/** What a look at every byte of a pack found: ids of chunks that cannot be used, and why the pack as a whole is not as it was. */
export interface PackFinding {
  damagedChunks: string[];
  /** `null` for a pack without a fault. */
  fault: string | null;
}

/** Reads a pack whole: its name against its bytes, its directory, each chunk's tag and id. Chunks beside a damaged one stay usable. */
export async function checkPack(store: ObjectStore, keys: RepositoryKeys, pack: StoredPack): Promise<PackFinding> {
  const all = pack.chunks.map(({ id }) => id);
  const bytes = await readPack(store, pack);
  if (typeof bytes === 'string') return { damagedChunks: all, fault: bytes };
  if (createHash('sha256').update(bytes).digest('hex') === pack.name) return checkWhole(keys, pack, bytes);
  const size =
    bytes.length === pack.sizeBytes
      ? 'its bytes were changed'
      : `it has ${bytes.length} bytes instead of ${pack.sizeBytes}`;
  return { damagedChunks: damagedIn(keys, pack, bytes), fault: size };
}

/** A text says why it cannot be read at all. */
async function readPack(store: ObjectStore, pack: StoredPack): Promise<Buffer | string> {
  try {
    return await store.read(packObjectName(pack.name));
  } catch (error) {
    if (isAbsent(error)) return 'it is not in the store';
    if (error instanceof EngineError && error.code === 'damaged') return 'it is larger than any pack';
    throw error;
  }
}

function checkWhole(keys: RepositoryKeys, pack: StoredPack, bytes: Buffer): PackFinding {
  const damagedChunks = damagedIn(keys, pack, bytes);
  if (damagedChunks.length > 0) return { damagedChunks, fault: 'it was written with chunks that do not open' };
  return {
    damagedChunks,
    fault: agrees(keys, pack, bytes) ? null : 'its directory does not say what the journal says',
  };
}

function damagedIn(keys: RepositoryKeys, pack: StoredPack, bytes: Buffer): string[] {
  const key = packKey(keys, pack, bytes);
  if (key === null) return pack.chunks.map(({ id }) => id);
  // Chunks of a group are neighbours: each body is opened once.
  let open: { place: string; body: Buffer | null } = { place: '', body: null };
  const isGood = (entry: ChunkEntry) => {
    const place = `${entry.offset} ${entry.storedBytes} ${entry.isCompressed} ${entry.groupStart === undefined ? entry.id : 'group'}`;
    if (place !== open.place) {
      const sealed = bytes.subarray(entry.offset, entry.offset + entry.storedBytes);
      open = { place, body: sealed.length === entry.storedBytes ? openBody(key, entry.id, entry, sealed) : null };
    }
    return open.body !== null && chunkIn(open.body, keys.chunkNames, entry) !== null;
  };
  return pack.chunks.filter((entry) => !isGood(entry)).map(({ id }) => id);
}

/** `null` when the head of the pack is damaged, and with it the salt of its key. */
function packKey(keys: RepositoryKeys, pack: StoredPack, bytes: Buffer): KeyObject | null {
  try {
    return keyOf(keys.encryption, saltOf(bytes, pack.name), 'pack');
  } catch (error) {
    if (error instanceof EngineError && error.code === 'damaged') return null;
    throw error;
  }
}

function agrees(keys: RepositoryKeys, pack: StoredPack, bytes: Buffer): boolean {
  const key = packKey(keys, pack, bytes);
  const trailer = bytes.subarray(-TRAILER_BYTES);
  if (key === null || !trailer.subarray(4).equals(PACK_END)) return false;
  const start = bytes.length - TRAILER_BYTES - trailer.readUInt32LE(0);
  const entries = openDirectory(key, start, bytes.subarray(start, -TRAILER_BYTES));
  return entries !== null && JSON.stringify(entries) === JSON.stringify(pack.chunks);
}
