import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JournalLines, RestoreJournals } from './restore-journals.ts';

/** Journals as files of a folder, which is made when the first is begun. */
export const journalFolder = (folder: string): RestoreJournals => journalsAt((name) => join(folder, `${name}.jsonl`));

/** One file, whichever restore it is of: another restore than the one that began it is refused there. */
export const journalFile = (path: string): RestoreJournals => ({
  ...journalsAt(() => path),
  has: async (restore) => (await firstLineOf(path)).includes(restore),
});

function journalsAt(pathOf: (restore: string) => string): RestoreJournals {
  return {
    open: (restore) => JournalFile.open(pathOf(restore)),
    has: async (restore) => existsSync(pathOf(restore)),
    placeOf: pathOf,
  };
}

/** Which names the restore that it is of; empty when there is none. */
async function firstLineOf(path: string): Promise<string> {
  if (!existsSync(path)) return '';
  await using file = await open(path);
  for await (const line of file.readLines()) return line;
  return '';
}

class JournalFile implements JournalLines {
  readonly place: string;
  private readonly file: FileHandle;
  private isOpen = true;

  static async open(path: string): Promise<JournalFile> {
    await mkdir(dirname(path), { recursive: true });
    return new JournalFile(path, await open(path, 'a+', 0o600));
  }

  private constructor(path: string, file: FileHandle) {
    this.place = path;
    this.file = file;
  }

  async *earlier(): AsyncGenerator<string> {
    const text = (await this.file.readFile()).toString();
    const end = text.lastIndexOf('\n') + 1;
    // A line that was being written when the process was killed counts for nothing.
    if (end < text.length) await this.file.truncate(Buffer.byteLength(text.slice(0, end)));
    if (end > 0) yield* text.slice(0, end - 1).split('\n');
  }

  async append(lines: readonly string[]): Promise<void> {
    await this.file.appendFile(lines.map((line) => `${line}\n`).join(''));
    await this.file.datasync();
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.file.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.place, { force: true });
  }
}
