import { compressChunk } from '../compression.ts';
import { release } from '../release.ts';
import { type ClosedPack, PackBuilder } from './pack-builder.ts';

const PACK_BYTES = 16 * 2 ** 20;
/** More came together while the store was slow, and is not needed when it is not. */
const SPARE_MAX = 1;

/** Packs chunks one after the other: compresses and encrypts each, and gives away packs as they are full. */
export class PackFiller {
  private readonly encryption: Uint8Array;
  private readonly onPack: (pack: ClosedPack) => void;
  private builder: PackBuilder | null = null;
  /** Of packs that are stored. */
  private readonly freeBuffers: ArrayBuffer[] = [];

  constructor(encryption: Uint8Array, onPack: (pack: ClosedPack) => void) {
    this.encryption = encryption;
    this.onPack = onPack;
  }

  /** Memory of a pack that was given away, to be used again. */
  takeBack(memory: ArrayBuffer): void {
    if (this.freeBuffers.length < SPARE_MAX) this.freeBuffers.push(memory);
  }

  /** Gives away what is not full. */
  close(): void {
    const { builder } = this;
    this.builder = null;
    if (builder !== null) this.onPack(builder.close());
  }

  pack(name: Buffer, plain: Buffer): void {
    const { bytes, isCompressed } = compressChunk(plain);
    this.builder ??= new PackBuilder(this.encryption, this.freeBuffers.pop());
    this.builder.add(name, bytes, plain.length, isCompressed);
    if (isCompressed) release(bytes);
    if (this.builder.sizeBytes >= PACK_BYTES) this.close();
  }
}
