import { EngineError, type EngineErrorCode } from '../../model/engine-error.ts';

const CODES: Readonly<Record<string, EngineErrorCode>> = {
  ENOENT: 'not-found',
  ENOSPC: 'store-full',
  EDQUOT: 'store-full',
  EFBIG: 'store-full',
  EACCES: 'store-refused',
  EPERM: 'store-refused',
  EROFS: 'store-refused',
  ENOTDIR: 'store-refused',
  EISDIR: 'store-refused',
  ENAMETOOLONG: 'store-refused',
  ENOTSUP: 'store-refused',
  ENOSYS: 'store-refused',
  ELOOP: 'store-refused',
};

const ADVICE: Readonly<Partial<Record<EngineErrorCode, string>>> = {
  'not-found': 'It is not there.',
  'store-full':
    'The disk is full: free some space or prune the repository, and start again. What was stored stays valid.',
  'store-refused':
    'The system refuses it: check owner and rights of the folder, and that its file system can make links.',
  'store-unreachable': 'The disk does not answer as it should: check it, and try again.',
};

/** An error of the system as one that says what to do. One of the engine's own passes as it is. */
export function storeError(error: unknown, path: string): EngineError {
  if (error instanceof EngineError) return error;
  const system = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = CODES[system] ?? 'store-unreachable';
  const message = `${path}: ${ADVICE[code] ?? ''} (${system || String(error)})`;
  return new EngineError(code, message, { cause: error, isRetryable: code === 'store-unreachable' });
}

/** Whether the system's answer is one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
