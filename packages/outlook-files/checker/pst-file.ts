import { type FileHandle, open } from 'node:fs/promises';

/** What is read at a time, and how much of it stays in memory: most structures are small and near each other. */
const windowSize = 64 * 1024;
const mostWindows = 64;

/** A file read by position only, so that its size does not matter. */
export class PstFile implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly #windows = new Map<number, Buffer>();
  /** Size in bytes. */
  readonly size: number;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  static async open(path: string): Promise<PstFile> {
    const handle = await open(path, 'r');
    return new PstFile(handle, (await handle.stat()).size);
  }

  /** Reads `length` bytes at `offset`; fewer come back where the file ends before. */
  async read(offset: number, length: number): Promise<Buffer> {
    const start = Math.floor(offset / windowSize) * windowSize;
    if (offset < 0 || offset + length > start + windowSize) return await this.#readFrom(offset, length);
    const window = this.#windows.get(start) ?? (await this.#openWindow(start));
    return Buffer.from(window.subarray(offset - start, offset - start + length));
  }

  async #openWindow(start: number): Promise<Buffer> {
    const window = await this.#readFrom(start, windowSize);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size === mostWindows && oldest !== undefined) this.#windows.delete(oldest);
    this.#windows.set(start, window);
    return window;
  }

  async #readFrom(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, offset + filled);
      if (bytesRead === 0) return buffer.subarray(0, filled);
      filled += bytesRead;
    }
    return buffer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
