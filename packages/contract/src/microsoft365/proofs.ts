import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';
import { SESSION_RESULTS } from './jobs.ts';

/** Proofs that the jobs of Microsoft 365 backups can be restored: a sample of the newest restore point, restored to memory. */

const access = 'o365.jobs' as const;
const params = z.strictObject({ jobId: id });

/** How a restored item compares with Microsoft 365, which is asked only for what can be the same bytes. */
export const COMPARISONS = ['same', 'changed', 'gone', 'not-compared', 'differs'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const provedItem = entity(
  'ProvedItem',
  z.object({
    /** Of the mailbox, drive, site or team it is in. */
    objectName: z.string(),
    objectKind: z.string(),
    kind: z.string(),
    /** Where it has a fault: what is in backups is else shown in the restore portal alone. */
    name: z.nullable(z.string()),
    bytes: z.int(),
    /** Why it cannot be restored as it was; `null`: it can. */
    fault: z.nullable(z.string()),
    comparison: z.enum(COMPARISONS),
    /** Why it was not compared, or how it differs. */
    reason: z.nullable(z.string()),
  }),
);
export type ProvedItem = z.infer<typeof provedItem>;

export const m365Proof = entity(
  'Microsoft365Proof',
  z.object({
    id,
    /** Who started it; `null`: its schedule. */
    username: z.nullable(z.string()),
    startTime: instant,
    endTime: z.nullable(instant),
    status: z.enum(SESSION_RESULTS),
    details: z.nullable(z.string()),
    /** When the restore point ended of which items were restored. */
    restorePointTime: z.nullable(instant),
    /** What was restored whole. */
    items: z.int(),
    bytes: z.int(),
    sample: z.array(provedItem),
    kinds: z.array(z.object({ kind: z.string(), items: z.int(), bytes: z.int() })),
  }),
);
export type Microsoft365Proof = z.infer<typeof m365Proof>;

export const listProofs = declareCall({
  method: 'GET',
  path: '/o365/jobs/{jobId}/proofs',
  access,
  params,
  ...listOf(m365Proof),
  failure: 'The proofs of the job could not be read. Try again later.',
  summary:
    'Proofs that a job can be restored, newest first: what was restored of each kind, and each item with its comparison.',
});

export const startProof = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/proofs/start',
  access,
  audit: 'm365-proof.start',
  params,
  ...itemOf(z.object({ proofId: id })),
  failure: 'The proof could not be started. Try again later.',
  summary:
    'Restores a random sample of the newest restore point of a job to memory, and compares it with Microsoft 365.',
});
