import { argon2Sync, randomBytes } from 'node:crypto';

/** The cost of the password of a repository that tests open again and again. */
export const LOW_PASSWORD_COST = { memoryKiB: 64, passes: 1, lanes: 1 } as const;

/** What is stored of the password of a user as whom tests sign in again and again: of the usual form, at the same low cost. */
export function cheapHashOf(password: string): string {
  const salt = randomBytes(16);
  const { memoryKiB: memory, passes, lanes: parallelism } = LOW_PASSWORD_COST;
  const hash = argon2Sync('argon2id', { message: password, nonce: salt, memory, passes, parallelism, tagLength: 32 });
  return ['argon2id', memory, passes, parallelism, salt.toString('base64'), hash.toString('base64')].join('$');
}
