import * as z from 'zod/mini';

/** A password that a person chooses. Its length is what counts: rules about kinds of characters make passwords that repeat. */
export const newPassword = z
  .string()
  .check(z.minLength(12, 'must have at least 12 characters'), z.maxLength(1_000, 'must have at most 1,000 characters'));

/** A password as it is typed to prove it. */
export const givenPassword = z.string().check(z.minLength(1), z.maxLength(1_000));
