import * as z from 'zod/mini';
import { text } from '../wire/fields.ts';

/** A name to sign in with. ASCII alone: with the letters of every script, one name can look exactly like another person's. */
export const userName = text(60).check(
  z.overwrite((name) => name.trim()),
  z.minLength(3, 'must have at least 3 characters'),
  z.regex(/^[a-z0-9._@+-]*$/i, 'may have the letters a to z, digits and . _ @ + -'),
);
