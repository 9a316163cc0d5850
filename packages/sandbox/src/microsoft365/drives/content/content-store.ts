import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Content } from './content.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

/** Keeps what is written: in memory up to a limit over all files, in a temporary folder beyond it. */
export class ContentStore {
  private readonly memoryLimit: number;
  private memoryUsed = 0;
  private folder: string | undefined;
  private fileCount = 0;

  /** @param memoryLimit bytes; default 64 MiB */
  constructor(memoryLimit = 64 << 20) {
    this.memoryLimit = memoryLimit;
  }

  /** Takes a content in one piece. */
  store(bytes: Buffer): Content {
    const writer = this.write();
    writer.append(bytes);
    return writer.finish();
  }

  /** Takes a content piece by piece. */
  write(): ContentWriter {
    return new ContentWriter({
      reserve: (bytes) => {
        if (this.memoryUsed + bytes > this.memoryLimit) return false;
        this.memoryUsed += bytes;
        return true;
      },
      release: (bytes) => {
        this.memoryUsed -= bytes;
      },
      newFile: () => this.newFile(),
    });
  }

  /** Where contents are spilled to; `undefined` while all are in memory. */
  get spillFolder(): string | undefined {
    return this.folder;
  }

  /** Removes the temporary folder; nothing that was spilled can be read afterwards. */
  close(): void {
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  private newFile(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'sandbox-drive-'));
    this.fileCount += 1;
    return join(this.folder, String(this.fileCount));
  }
}

interface Room {
  /** Whether so many more bytes may be stored in memory. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  newFile(): string;
}

/** A content on its way in. */
export class ContentWriter {
  private readonly room: Room;
  private readonly sha256: Hash = createHash('sha256');
  private readonly quickXor = new QuickXorHash();
  private chunks: Buffer[] = [];
  private file: { path: string; descriptor: number } | undefined;
  private length = 0;

  constructor(room: Room) {
    this.room = room;
  }

  /** Bytes so far. */
  get size(): number {
    return this.length;
  }

  append(bytes: Buffer): void {
    this.sha256.update(bytes);
    this.quickXor.update(bytes);
    if (!this.file && !this.room.reserve(bytes.length)) this.spill();
    if (this.file) writeSync(this.file.descriptor, bytes);
    else this.chunks.push(bytes);
    this.length += bytes.length;
  }

  finish(): Content {
    const facts = {
      size: this.length,
      quickXorHash: this.quickXor.digest(),
      sha256Hash: this.sha256.digest('hex').toUpperCase(),
    };
    if (this.file) {
      closeSync(this.file.descriptor);
      const { path } = this.file;
      return {
        ...facts,
        open: (start, end) => (end > start ? createReadStream(path, { start, end: end - 1 }) : Readable.from([])),
      };
    }
    const bytes = Buffer.concat(this.chunks);
    return { ...facts, open: (start, end) => Readable.from([bytes.subarray(start, end)], { objectMode: false }) };
  }

  /** Discards what has been received so far. */
  discard(): void {
    if (this.file) {
      closeSync(this.file.descriptor);
      rmSync(this.file.path, { force: true });
    } else this.room.release(this.length);
    this.chunks = [];
  }

  private spill(): void {
    const path = this.room.newFile();
    this.file = { path, descriptor: openSync(path, 'w') };
    for (const chunk of this.chunks) writeSync(this.file.descriptor, chunk);
    this.room.release(this.length);
    this.chunks = [];
  }
}
