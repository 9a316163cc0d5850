import * as z from 'zod/mini';
import { DATA_SOURCE_GROUPS, RESULTS } from '../runs/values.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import { listOf } from '../wire/replies.ts';

/** Hints: what technicians are to know about runs with a certain message. */

const access = 'monitoring.hints' as const;

export const hint = entity(
  'Hint',
  z.object({
    _id: id,
    title: z.string(),
    /** What the message means and what to do. Plain text with line breaks; addresses in it become links. */
    text: z.string(),
    /** The words, and "phrases in quotes", that the message of a run has to contain, all of them, in any case. */
    words: z.string(),
    result: z.nullable(z.enum(RESULTS)),
    /** Empty: runs of every group. */
    sourceGroups: z.array(z.enum(DATA_SOURCE_GROUPS)),
    /** Empty: jobs of every type. */
    jobTypes: z.array(z.string()),
    isActive: z.boolean(),
    updatedAt: instant,
  }),
);
export type Hint = z.infer<typeof hint>;

export const listHints = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/hints',
  access,
  ...listOf(hint, { sorts: ['title', 'updatedAt'], query: { search: z.optional(text(200)) } }),
  failure: 'Error while getting the hints. Try again later.',
  summary: 'The hints of the provider.',
});
