import { readFile, stat } from 'node:fs/promises';
import { EngineError } from '../../model/engine-error.ts';

/** What a person writes by hand is small; a disk image given by mistake is not read into memory. */
const BYTES_MAX = 1_048_576;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'this account may not read it',
  EISDIR: 'it is a folder',
};

/** @throws `bad-request` with the path and why */
export async function readTextFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= BYTES_MAX) return await readFile(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
    throw new EngineError('bad-request', `The file ${path} cannot be read: ${reason}.`, { cause });
  }
  throw new EngineError(
    'bad-request',
    `The file ${path} is larger than anything that is written by hand. Is it the right one?`,
  );
}
