import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import { FileNotWrittenError } from '../errors.ts';
import {
  countFreeSlots,
  FIRST_SECTION_POSITION,
  markSlots,
  PAGE_BODY_BYTES,
  PAGE_BYTES,
  SECTION_BYTES,
  SLOT_BYTES,
  sectionHeadBytes,
  sectionPosition,
  writeMapPages,
} from './allocation-map.ts';

/** Memory to write into, and its place in the file. */
export interface Allocation {
  buffer: Uint8Array;
  /** Of the same memory. */
  view: DataView;
  start: number;
  position: number;
}

interface Range {
  position: number;
  bytes: number;
}

/** How many sections go to the file in one write: big sequential writes are what disks and networks do well. */
const SECTIONS_PER_WRITE = 8;
const WRITES_IN_FLIGHT = 2;

/**
 * The space of one PST file: hands out memory for blocks and pages in file order, maintains the allocation maps, and writes section by
 * section. Nothing is before the first section until `finish`, so that a torn file never has a header.
 */
export class PartFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #writes = new Set<Promise<void>>();
  readonly #spare: Uint8Array[] = [];
  readonly #freed: Range[] = [];
  #failure: unknown;
  #buffer: Uint8Array;
  #view: DataView;
  #section = 0;
  /** Bytes of the current section that are handed out. */
  #filled = 0;
  #gaps: [start: number, end: number][] = [];
  #freeSlots = 0;
  #lastFreeSlots = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
    this.#buffer = newBuffer();
    this.#view = new DataView(this.#buffer.buffer);
    this.#filled = sectionHeadBytes(0);
  }

  /** Creates the file; it is an error if there is one already. */
  static async create(path: string): Promise<PartFile> {
    return new PartFile(path, await open(path, 'wx+', 0o600));
  }

  /** The place of the next block: bytes of the file so far. */
  get position(): number {
    return sectionPosition(this.#section) + this.#filled;
  }

  /** Whether writing lags behind: wait for `drain` before adding much more. */
  get isBehind(): boolean {
    return this.#writes.size > WRITES_IN_FLIGHT;
  }

  /**
   * @param bytes a multiple of 64, at most 8,192
   * @param alignment 64 for blocks, 512 for pages
   */
  allocate(bytes: number, alignment: number): Allocation {
    const aligned = Math.ceil(this.#filled / alignment) * alignment;
    if (aligned + bytes > SECTION_BYTES) {
      this.#closeSection();
      return this.allocate(bytes, alignment);
    }
    if (aligned > this.#filled) {
      this.#gaps.push([this.#filled, aligned]);
    }
    this.#filled = aligned + bytes;
    const start = (this.#section % SECTIONS_PER_WRITE) * SECTION_BYTES + aligned;
    return { buffer: this.#buffer, view: this.#view, start, position: sectionPosition(this.#section) + aligned };
  }

  /** Gives space back, as when an item turned out unreadable half way. Its bytes stay, its slots are free. */
  free(position: number, bytes: number): void {
    this.#freed.push({ position, bytes: Math.ceil(bytes / SLOT_BYTES) * SLOT_BYTES });
  }

  /** Waits until writing has caught up. Throws what a write threw, e.g. that the disk is full. */
  async drain(): Promise<void> {
    while (this.isBehind) {
      await Promise.race(this.#writes);
    }
    this.#throwFailure();
  }

  /**
   * Writes what is left, whole sections only.
   * @returns figures for the header and the density list
   */
  async finish(): Promise<{ lastSection: number; endPosition: number; freeBytes: number; lastFreeSlots: number }> {
    const lastSection = this.#section;
    this.#closeSection();
    if (this.#section % SECTIONS_PER_WRITE !== 0) {
      this.#write((this.#section % SECTIONS_PER_WRITE) * SECTION_BYTES);
    }
    await Promise.all(this.#writes);
    this.#throwFailure();
    const reclaimed = await this.#reclaim(lastSection);
    return {
      lastSection,
      endPosition: sectionPosition(lastSection + 1),
      freeBytes: this.#freeSlots * SLOT_BYTES,
      lastFreeSlots: this.#lastFreeSlots + reclaimed,
    };
  }

  /** Writes what comes before the sections, makes everything durable and closes the file. */
  async close(head: Uint8Array): Promise<void> {
    await this.#handle.write(head, 0, FIRST_SECTION_POSITION, 0);
    await this.#handle.sync();
    await this.#handle.close();
  }

  /** Closes and removes the file. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#writes);
    await this.#handle.close().catch(() => undefined); // it may be closed already; what matters is that it goes
    await rm(this.path, { force: true });
  }

  #closeSection(): void {
    const start = (this.#section % SECTIONS_PER_WRITE) * SECTION_BYTES;
    const body = this.#buffer.subarray(start, start + SECTION_BYTES);
    body.fill(0, this.#filled);
    const used = new Uint8Array(PAGE_BODY_BYTES);
    markSlots(used, 0, this.#filled, true);
    for (const [from, to] of this.#gaps) {
      body.fill(0, from, to);
      markSlots(used, from, to, false);
    }
    writeMapPages(body, this.#section, used);
    this.#lastFreeSlots = countFreeSlots(used);
    this.#freeSlots += this.#lastFreeSlots;
    this.#section += 1;
    this.#gaps = [];
    this.#filled = sectionHeadBytes(this.#section);
    if (this.#section % SECTIONS_PER_WRITE === 0) {
      this.#write(this.#buffer.length);
      this.#buffer = this.#spare.pop() ?? newBuffer();
      this.#view = new DataView(this.#buffer.buffer);
    }
  }

  /** Starts writing the current buffer's first bytes. */
  #write(bytes: number): void {
    const buffer = this.#buffer;
    const first = Math.ceil(this.#section / SECTIONS_PER_WRITE - 1) * SECTIONS_PER_WRITE;
    const write = writeFully(this.#handle, buffer.subarray(0, bytes), sectionPosition(first))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .then(() => {
        this.#writes.delete(write);
        if (this.#spare.length < WRITES_IN_FLIGHT) {
          this.#spare.push(buffer);
        }
      });
    this.#writes.add(write);
  }

  /** Clears the bits of freed ranges in maps that are in the file already. Returns the slots gained in the last section. */
  async #reclaim(lastSection: number): Promise<number> {
    let inLast = 0;
    for (const { position, bytes } of this.#freed) {
      const section = Math.floor((position - FIRST_SECTION_POSITION) / SECTION_BYTES);
      const head = Buffer.alloc(sectionHeadBytes(section));
      await this.#handle.read(head, 0, PAGE_BYTES, sectionPosition(section));
      const used = Uint8Array.from(head.subarray(0, PAGE_BODY_BYTES));
      const start = position - sectionPosition(section);
      markSlots(used, start, start + bytes, false);
      writeMapPages(head, section, used);
      await this.#handle.write(head, 0, PAGE_BYTES, sectionPosition(section));
      this.#freeSlots += bytes / SLOT_BYTES;
      inLast += section === lastSection ? bytes / SLOT_BYTES : 0;
    }
    return inLast;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) {
      const reason = this.#failure instanceof Error ? this.#failure.message : String(this.#failure);
      throw new FileNotWrittenError(`${this.path} cannot be written: ${reason}`, { cause: this.#failure });
    }
  }
}

/** Plain memory: parts of a Buffer are several times slower to make, and the checksum of each block needs one. */
function newBuffer(): Uint8Array {
  return new Uint8Array(SECTION_BYTES * SECTIONS_PER_WRITE);
}

async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const result = await handle.write(bytes, written, bytes.length - written, position + written);
    written += result.bytesWritten;
  }
}
