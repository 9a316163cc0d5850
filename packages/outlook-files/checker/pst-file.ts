import { type FileHandle, open } from 'node:fs/promises';

/** A file read by position only, so that its size does not matter. */
export class PstFile implements AsyncDisposable {
  readonly #handle: FileHandle;
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
