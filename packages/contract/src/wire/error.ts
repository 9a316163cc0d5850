import * as z from 'zod/mini';
import { REFUSAL_CODES } from './refusal-codes.ts';

/** The shape of every error that leaves the server, whatever went wrong. */
export const errorReply = z.object({
  success: z.literal(false),
  code: z.enum(REFUSAL_CODES),
  /** For the person: what happened, to what, what to do next. */
  message: z.string(),
  /** With code `INVALID_INPUT`: each field that was refused. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  requestId: z.optional(z.string()),
});
export type ErrorReply = z.infer<typeof errorReply>;
