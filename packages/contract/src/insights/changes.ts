import * as z from 'zod/mini';
import { jobFilterGroup } from '../executions/filters.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

/** Names that are shown with a count. */
export const NAMED_MAX = 3;

const counted = z.object({
  count: z.int(),
  /** The first jobs of them, by name. */
  names: z.array(z.string()),
});

/** What is different from the same time yesterday. */
export const changes = entity(
  'Changes',
  z.object({
    /** That time: lists of what is counted are asked for with it. */
    since: instant,
    /** Faults that began since then, and are open and not done: `listFaults` with `openedFrom`. */
    newFaults: counted,
    /** Faults that healed since then: `listFaults` with `closedFrom`. */
    healedFaults: counted,
    /** Jobs that are known since then: `listJobNames` with `knownFrom`. */
    newJobs: counted,
    /** Sources that should have been read and were not, whenever that began; without a name for callers who see some companies only. */
    stoppedSources: z.array(z.object({ _id: id, name: z.nullable(z.string()), readTo: instant })),
  }),
);
export type Changes = z.infer<typeof changes>;

export const getChanges = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/changes',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  query: z.strictObject({ filter: jobFilterGroup }),
  ...itemOf(changes),
  failure: 'What changed since yesterday could not be read, try again later.',
  summary: 'What changed within the last 24 hours: new and healed faults, new jobs, and sources that stopped.',
});
