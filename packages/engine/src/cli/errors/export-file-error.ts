import { dirname } from 'node:path';
import { EngineError, type EngineErrorCode } from '../../model/engine-error.ts';

const FULL = 'Its disk is full. Make room there, or choose another disk, and export again; no half file was left.';
const REFUSED =
  'The system does not let this file be written. Check owner and rights of the folder, or choose another.';

const ADVICE: Readonly<Record<string, readonly [EngineErrorCode, string]>> = {
  ENOENT: ['bad-request', 'This folder does not exist. Make it, or correct --to.'],
  ENOTDIR: ['bad-request', 'This is a file, and no folder. Correct --to.'],
  EISDIR: ['bad-request', 'That is a folder. Say with --to which file in it is to be written.'],
  ENAMETOOLONG: ['bad-request', 'Its name is longer than the system takes. Choose a shorter one.'],
  ENOSPC: ['store-full', FULL],
  EDQUOT: ['store-full', FULL],
  EFBIG: ['store-full', 'Its file system takes no file of that size. Choose another disk.'],
  EACCES: ['store-refused', REFUSED],
  EPERM: ['store-refused', REFUSED],
  EROFS: ['store-refused', REFUSED],
};

/** What the system says of the file an export is written to, as an error that says what to do; any other error as it is. */
export function exportFileError(error: unknown, path: string): unknown {
  const system = error instanceof EngineError ? null : systemCode(error);
  const [code, advice] = ADVICE[system ?? ''] ?? [];
  if (code === undefined) return error;
  const about = system === 'ENOENT' || system === 'ENOTDIR' ? dirname(path) : path;
  return new EngineError(code, `${about}: ${advice} (${system})`, { cause: error });
}

/** Also of what a writer of files says in its own words. */
function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : systemCode(error.cause);
}
