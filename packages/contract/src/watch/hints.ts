import * as z from 'zod/mini';
import { DATA_SOURCE_GROUPS, RESULTS } from '../runs/values.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText, oneOrMore, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** Hints: what technicians are to know about runs with a certain message. */

const access = 'monitoring.hints' as const;

/** Most hints that a provider can have. */
export const HINTS_MAX = 500;

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
  path: '/backoffice/hints',
  access,
  ...listOf(hint, { sorts: ['title', 'updatedAt'], query: { search: z.optional(text(200)) } }),
  failure: 'Error while getting the hints. Try again later.',
  summary: 'The hints of the provider.',
});

/** The words, and the phrases in quotes, that a condition asks of a message. */
export function phrasesOf(words: string): string[] {
  const found = [...words.matchAll(/"([^"]*)"|([^\s"]+)/g)];
  return found.map(([, phrase, word = '']) => (phrase ?? word).trim()).filter((phrase) => phrase !== '');
}

const hintBody = z
  .strictObject({
    title: nameText(200),
    text: nameText(4_000),
    words: text(500),
    result: z.optional(z.enum(RESULTS)),
    sourceGroups: z.array(z.enum(DATA_SOURCE_GROUPS)).check(z.maxLength(DATA_SOURCE_GROUPS.length)),
    jobTypes: z.array(nameText(100)).check(z.maxLength(20)),
    isActive: z.boolean(),
  })
  .check(
    z.refine(({ words, result }) => phrasesOf(words).length > 0 || result !== undefined, {
      path: ['words'],
      error: 'Enter words of the message, or choose a result.',
    }),
  );

export const createHint = declareCall({
  method: 'POST',
  path: '/backoffice/hints',
  access,
  audit: 'hint.create',
  body: hintBody,
  ...itemOf(hint),
  failure: 'Error while trying to create the hint. Try again later',
  summary: 'Adds a hint for the runs that fit its condition.',
});

const params = z.strictObject({ hintId: id });

export const editHint = declareCall({
  method: 'PUT',
  path: '/backoffice/hints/{hintId}',
  access,
  audit: 'hint.edit',
  params,
  body: hintBody,
  ...itemOf(hint),
  failure: 'Error while trying to update the hint. Try again later',
  summary: 'Replaces a hint.',
});

export const deleteHint = declareCall({
  method: 'DELETE',
  path: '/backoffice/hints/{hintId}',
  access,
  audit: 'hint.delete',
  params,
  ...done,
  failure: 'Error while trying to delete the hint. Try again later',
  summary: 'Deletes a hint.',
});

/** The count of the runs that a condition fits stops here. */
export const FITTING_RUNS_MAX = 1_000;
/** So many of the newest runs are looked at. */
export const SEARCHED_RUNS_MAX = 20_000;

const fittingRun = entity(
  'FittingRun',
  z.object({
    _id: id,
    jobName: z.string(),
    companyName: z.nullable(z.string()),
    startedAt: instant,
    result: z.enum(RESULTS),
    message: z.nullable(z.string()),
  }),
);
export type FittingRun = z.infer<typeof fittingRun>;

export const listFittingRuns = declareCall({
  method: 'GET',
  path: '/backoffice/hints/runs',
  access,
  query: z.strictObject({
    words: z.optional(text(500)),
    result: z.optional(z.enum(RESULTS)),
    sourceGroups: z.optional(oneOrMore(z.enum(DATA_SOURCE_GROUPS))),
    jobTypes: z.optional(oneOrMore(nameText(100))),
  }),
  ...itemOf(z.array(fittingRun), {
    count: z.int(),
    /** How many of the newest runs were looked at: all of the 30 days, or `SEARCHED_RUNS_MAX`. */
    searched: z.int(),
  }),
  failure: 'The runs that fit the hint could not be read. Try again later.',
  summary:
    'The newest three runs of the last 30 days that fit a condition, and how many there are, up to 1,000, of the newest 20,000.',
});
