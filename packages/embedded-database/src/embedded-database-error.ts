/**
 * The embedded database could not be started, and the message says in one line what happened, to what, and what
 * to do next. It is meant for the person at the terminal; the cause, where there is one, is for the log.
 */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}

/** The `code` of a failed system call (`ENOENT`, `EACCES`, …), or undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const ADVICE: Record<string, string> = {
  EACCES: 'Give the account that runs the program write access to it, or set DATA_DIR to another folder.',
  EPERM: 'Give the account that runs the program write access to it, or set DATA_DIR to another folder.',
  EROFS: 'The file system is read-only: set DATA_DIR to a folder that can be written.',
  ENOSPC: 'The disk is full: free some space, or set DATA_DIR to a folder on another disk.',
  EDQUOT: 'The disk quota is used up: free some space, or set DATA_DIR to a folder on another disk.',
  ENOTDIR: 'A part of that path is a file: set DATA_DIR to a folder.',
  EEXIST: 'There is a file of that name: set DATA_DIR to a folder.',
};

/**
 * Puts a failed system call on `path` into one line; other errors come back as they are. `otherAdvice` replaces what is said
 * about data folders.
 */
export function explainSystemError(error: unknown, action: string, path: string, otherAdvice?: string): unknown {
  const code = systemErrorCode(error);
  const known = code === undefined ? undefined : ADVICE[code];
  const advice = otherAdvice !== undefined && code !== undefined ? otherAdvice : known;
  if (advice === undefined) return error;
  return new EmbeddedDatabaseError(`Cannot ${action} ${path} (${code}). ${advice}`, { cause: error });
}
