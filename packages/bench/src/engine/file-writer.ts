import { Worker } from 'node:worker_threads';

/** Files back to back in one piece of memory. */
export interface FileBatch {
  memory: Uint8Array<ArrayBuffer>;
  files: { path: string; start: number; end: number }[];
}

const BATCH_BYTES = 2 ** 20;
const BATCHES = 16;

/**
 * Writes small files in a thread of its own, as restic does in several: making a file takes the kernel longer than reading its bytes takes the engine.
 * Files larger than a batch are not for it.
 */
export class FileWriter {
  private readonly thread = new Worker(new URL('./write-files-thread.ts', import.meta.url));
  private readonly free: Uint8Array<ArrayBuffer>[] = [];
  private readonly failed = Promise.withResolvers<never>();
  private returned = Promise.withResolvers<void>();
  private batch: FileBatch = { memory: new Uint8Array(BATCH_BYTES), files: [] };
  private filled = 0;
  private made = 1;

  constructor() {
    this.failed.promise.catch(() => undefined);
    this.thread.on('error', (error) => this.failed.reject(error));
    this.thread.on('message', (memory: Uint8Array<ArrayBuffer>) => {
      this.free.push(memory);
      this.returned.resolve();
      this.returned = Promise.withResolvers();
    });
  }

  /** @param bytes of the file, in parts; `sizeBytes` of them in all */
  async write(path: string, sizeBytes: number, parts: readonly Uint8Array[]): Promise<void> {
    if (this.filled + sizeBytes > BATCH_BYTES) await this.send();
    const start = this.filled;
    for (const part of parts) {
      this.batch.memory.set(part, this.filled);
      this.filled += part.length;
    }
    this.batch.files.push({ path, start, end: this.filled });
  }

  /** Resolves when all files are written. */
  async end(): Promise<void> {
    await this.send();
    while (this.free.length < this.made - 1) await Promise.race([this.returned.promise, this.failed.promise]);
    await this.thread.terminate();
  }

  private async send(): Promise<void> {
    this.thread.postMessage(this.batch, [this.batch.memory.buffer]);
    this.batch = { memory: await this.memory(), files: [] };
    this.filled = 0;
  }

  private async memory(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.free.length === 0 && this.made < BATCHES) {
      this.made += 1;
      return new Uint8Array(BATCH_BYTES);
    }
    while (this.free.length === 0) await Promise.race([this.returned.promise, this.failed.promise]);
    return this.free.pop() ?? new Uint8Array(BATCH_BYTES);
  }
}
