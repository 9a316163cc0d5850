import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { ChunkEntry, StoredPack } from '../commit.ts';
import { keyOf } from '../keys.ts';
import { release } from '../release.ts';
import { GROUP, PACK_MAGIC, SALT_BYTES, sealAt, sealDirectory, TAG_BYTES } from './pack-layout.ts';

/** As a rule a pack needs no more. */
const ROOM_BYTES = 20 * 2 ** 20;
/** Enough for a run that changes little. Full room for each such run would make the garbage collector work in every one of them. */
const FIRST_ROOM_BYTES = 2 ** 20;

/** Its bytes have memory of their own, so that they can be given to another thread. */
export interface ClosedPack extends StoredPack {
  bytes: Uint8Array<ArrayBuffer>;
}

/** A chunk in a group. */
export interface GroupMember {
  name: Buffer;
  plainBytes: number;
}

/** One pack that is being filled. */
export class PackBuilder {
  readonly chunks: ChunkEntry[] = [];
  private readonly key: KeyObject;
  private bytes: Buffer<ArrayBuffer>;
  private size = 0;

  /** @param memory that of a pack that is stored, to be used again */
  constructor(encryption: Uint8Array, memory?: ArrayBuffer) {
    this.bytes = memory === undefined ? Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES) : Buffer.from(memory);
    const salt = randomBytes(SALT_BYTES);
    this.key = keyOf(encryption, salt, 'pack');
    this.append([PACK_MAGIC, salt]);
  }

  get sizeBytes(): number {
    return this.size;
  }

  /** @param stored the chunk as it is, or its zstd frame */
  add(id: Buffer, stored: Uint8Array, plainBytes: number, isCompressed: boolean): void {
    const offset = this.size;
    this.append(sealAt(this.key, offset, id, stored));
    const storedBytes = stored.length + TAG_BYTES;
    this.chunks.push({ id: id.toString('base64url'), offset, storedBytes, plainBytes, isCompressed });
  }

  /**
   * @param members in their order
   * @param stored all of them back to back as they are, or its zstd frame
   */
  addGroup(members: readonly GroupMember[], stored: Uint8Array, isCompressed: boolean): void {
    const offset = this.size;
    this.append(sealAt(this.key, offset, GROUP, stored));
    const storedBytes = stored.length + TAG_BYTES;
    let groupStart = 0;
    for (const { name, plainBytes } of members) {
      this.chunks.push({ id: name.toString('base64url'), offset, storedBytes, plainBytes, isCompressed, groupStart });
      groupStart += plainBytes;
    }
  }

  close(): ClosedPack {
    this.append(sealDirectory(this.key, this.size, this.chunks));
    const bytes = this.bytes.subarray(0, this.size);
    const name = createHash('sha256').update(bytes).digest('hex');
    return { name, sizeBytes: bytes.length, chunks: this.chunks, bytes };
  }

  /** @param parts are gone afterwards */
  private append(parts: readonly Uint8Array[]): void {
    for (const part of parts) {
      if (this.size + part.length > this.bytes.length) this.grow(part.length);
      this.bytes.set(part, this.size);
      this.size += part.length;
      release(part);
    }
  }

  private grow(bytes: number): void {
    const { length } = this.bytes;
    const usual = length < ROOM_BYTES ? Math.min(4 * length, ROOM_BYTES) : length + ROOM_BYTES;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.size + bytes, usual));
    this.bytes.copy(grown, 0, 0, this.size);
    release(this.bytes);
    this.bytes = grown;
  }
}

export function packObjectName(name: string): string {
  return `packs/${name.slice(0, 2)}/${name}`;
}
