import { compressChunk } from '../compression.ts';
import { release } from '../release.ts';
import { ChunkGroup, GROUPED_BYTES_MAX, looksDense } from './chunk-group.ts';
import { type ClosedPack, PackBuilder } from './pack-builder.ts';

const PACK_BYTES = 16 * 2 ** 20;

/** Packs chunks: compresses and encrypts large ones alone and small ones in groups, and gives away packs as they are full. */
export class PackFiller {
  private readonly encryption: Uint8Array;
  private readonly onPack: (pack: ClosedPack) => void;
  private builder: PackBuilder | null = null;
  private readonly text = new ChunkGroup();
  private readonly dense = new ChunkGroup();
  /** Of a pack that is stored. More come together while the store is slow, and are not needed when it is not. */
  private spare: ArrayBuffer | undefined;

  constructor(encryption: Uint8Array, onPack: (pack: ClosedPack) => void) {
    this.encryption = encryption;
    this.onPack = onPack;
  }

  /** Memory of a pack that was given away, to be used again. */
  takeBack(memory: ArrayBuffer): void {
    if (memory.byteLength > (this.spare?.byteLength ?? 0)) this.spare = memory;
  }

  /** Gives away what is not full. */
  close(): void {
    for (const group of [this.text, this.dense]) this.packGroup(group);
    this.closePack();
  }

  pack(name: Buffer, plain: Buffer): void {
    if (plain.length > GROUPED_BYTES_MAX)
      this.add(plain, (pack, bytes, isCompressed) => pack.add(name, bytes, plain.length, isCompressed));
    else {
      const group = looksDense(plain) ? this.dense : this.text;
      if (!group.fits(plain)) this.packGroup(group);
      group.add(name, plain);
    }
  }

  private packGroup(group: ChunkGroup): void {
    const { members, plain } = group;
    if (members.length === 0) return;
    this.add(plain, (pack, bytes, isCompressed) => pack.addGroup(members, bytes, isCompressed));
    group.clear();
  }

  private add(plain: Buffer, into: (pack: PackBuilder, bytes: Uint8Array, isCompressed: boolean) => void): void {
    const { bytes, isCompressed } = compressChunk(plain);
    this.builder ??= this.begin();
    into(this.builder, bytes, isCompressed);
    if (isCompressed) release(bytes);
    if (this.builder.sizeBytes >= PACK_BYTES) this.closePack();
  }

  private begin(): PackBuilder {
    const { spare } = this;
    this.spare = undefined;
    return new PackBuilder(this.encryption, spare);
  }

  private closePack(): void {
    const { builder } = this;
    this.builder = null;
    if (builder !== null) this.onPack(builder.close());
  }
}
