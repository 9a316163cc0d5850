import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { ChunkEntry, StoredPack } from './commit.ts';
import { keyOf } from './keys.ts';
import { BODIES_START, PACK_MAGIC, SALT_BYTES, sealAt, sealDirectory, TAG_BYTES } from './pack-layout.ts';

/** Room that a directory may take; the limit of a pack (64 MiB) is far beyond what a builder is given. */
export interface ClosedPack extends StoredPack {
  bytes: Buffer;
}

/** One pack that is being filled. */
export class PackBuilder {
  readonly chunks: ChunkEntry[] = [];
  private readonly parts: Buffer[];
  private readonly key: KeyObject;
  private size = BODIES_START;

  constructor(encryption: Buffer) {
    const salt = randomBytes(SALT_BYTES);
    this.key = keyOf(encryption, salt, 'pack');
    this.parts = [PACK_MAGIC, salt];
  }

  get sizeBytes(): number {
    return this.size;
  }

  /** @param stored the chunk as it is, or its zstd frame */
  add(id: Buffer, stored: Uint8Array, plainBytes: number, isCompressed: boolean): void {
    const offset = this.size;
    const storedBytes = stored.length + TAG_BYTES;
    this.parts.push(...sealAt(this.key, offset, id, stored));
    this.chunks.push({ id: id.toString('base64url'), offset, storedBytes, plainBytes, isCompressed });
    this.size += storedBytes;
  }

  close(): ClosedPack {
    const bytes = Buffer.concat([...this.parts, ...sealDirectory(this.key, this.size, this.chunks)]);
    const name = createHash('sha256').update(bytes).digest('hex');
    return { name, sizeBytes: bytes.length, chunks: this.chunks, bytes };
  }
}

export function packObjectName(name: string): string {
  return `packs/${name.slice(0, 2)}/${name}`;
}
