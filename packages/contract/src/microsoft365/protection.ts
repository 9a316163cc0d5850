import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';
import { proofSummary } from './proof-summary.ts';

/** What the dashboard answers first: whether all people are backed up, how old the newest complete backup is, and whether it can be restored. */

const access = 'o365.dashboard' as const;
const ofCompany = { companyId: z.optional(id) };

/**
 * Why nothing of a person was backed up in the last 31 days: no job has them; a job leaves them out; their job is disabled, has no restore
 * point yet, or has restore points without them.
 */
export const UNPROTECTED_REASONS = ['no-job', 'excluded', 'disabled', 'not-yet', 'missing'] as const;
export type UnprotectedReason = (typeof UNPROTECTED_REASONS)[number];
const reason = z.enum(UNPROTECTED_REASONS);

const unprotectedGroup = z.object({
  organizationId: id,
  organizationName: z.string(),
  reason,
  people: z.int(),
  /** The job of the reason; of `no-job` one to which they can be added. `null`: the organization has none. */
  jobId: z.nullable(id),
  jobName: z.nullable(z.string()),
});
export type UnprotectedGroup = z.infer<typeof unprotectedGroup>;

export const protectedPeople = entity(
  'Microsoft365ProtectedPeople',
  z.object({
    /** Whom Microsoft licenses for mail or files, in the organizations whose directory was read. */
    people: z.int(),
    /** Of these: of whom nothing was backed up in the last 31 days. */
    unprotected: z.int(),
    /** The same by organization, reason and job, the largest first; at most 20. */
    groups: z.array(unprotectedGroup),
    /** When the directories were read: of several the earliest. */
    readTime: z.nullable(instant),
    /** How many organizations are backed up by another engine: their directories are not read, and their people not counted. */
    uncounted: z.int(),
    /** Organizations whose directory was not read yet, or could not be read lately: at most 20. */
    unread: z.array(z.object({ organizationId: id, organizationName: z.string(), message: z.nullable(z.string()) })),
  }),
);
export type ProtectedPeople = z.infer<typeof protectedPeople>;

export const readProtectedPeople = declareCall({
  method: 'GET',
  path: '/o365/dashboard/people',
  access,
  query: z.strictObject(ofCompany),
  ...itemOf(protectedPeople),
  failure: 'The figures of the people could not be read. Try again later.',
  summary: 'How many people of the organizations are backed up, and why the others are not.',
});

export const unprotectedPerson = entity(
  'Microsoft365UnprotectedPerson',
  z.object({
    /** At Microsoft. */
    objectId: z.string(),
    name: z.string(),
    address: z.nullable(z.string()),
    ...z.omit(unprotectedGroup, { people: true }).shape,
    companyName: z.string(),
  }),
);
export type UnprotectedPerson = z.infer<typeof unprotectedPerson>;

export const listUnprotectedPeople = declareCall({
  method: 'GET',
  path: '/o365/dashboard/unprotected-people',
  access,
  ...listOf(unprotectedPerson, {
    query: { ...ofCompany, organizationId: z.optional(id), reason: z.optional(reason), jobId: z.optional(id) },
  }),
  failure: 'The people could not be read. Try again later.',
  summary:
    'People of whom nothing was backed up in the last 31 days, each with the reason, by name. A reason or job is asked for together with its organization.',
});

/** Up to a day, three, seven and 31 days; older; in no restore point complete. */
export const OBJECT_AGES = ['day', 'three-days', 'week', 'month', 'older', 'never'] as const;
export type ObjectAge = (typeof OBJECT_AGES)[number];
const age = z.enum(OBJECT_AGES);

export const readObjectAges = declareCall({
  method: 'GET',
  path: '/o365/dashboard/object-ages',
  access,
  query: z.strictObject(ofCompany),
  ...itemOf(z.array(z.object({ age, objects: z.int() }))),
  failure: 'The ages of the backups could not be read. Try again later.',
  summary:
    'Mailboxes, drives, sites and whatever else jobs back up, by the age of the newest restore point in which each is complete.',
});

export const agedObject = entity(
  'Microsoft365AgedObject',
  z.object({
    kind: z.string(),
    name: z.string(),
    organizationName: z.string(),
    companyName: z.string(),
    jobId: id,
    jobName: z.string(),
    /** End of the newest restore point in which it is complete. */
    completeTime: z.nullable(instant),
  }),
);
export type AgedObject = z.infer<typeof agedObject>;

export const listAgedObjects = declareCall({
  method: 'GET',
  path: '/o365/dashboard/objects',
  access,
  ...listOf(agedObject, { query: { ...ofCompany, age: z.optional(age) } }),
  failure: 'The objects could not be read. Try again later.',
  summary: 'What jobs back up, the oldest complete backup first.',
});

export const provedJobs = entity(
  'Microsoft365ProvedJobs',
  z.object({
    /** Jobs with a restore point. */
    jobs: z.int(),
    /** Of these by their last proof. */
    success: z.int(),
    warning: z.int(),
    failed: z.int(),
    never: z.int(),
    /** The last of all proofs that ended. */
    last: z.nullable(z.extend(proofSummary, { jobId: id, jobName: z.string(), organizationName: z.string() })),
    /** Jobs whose last proof was no success, or that have none, the worst first; at most 5. */
    open: z.array(
      z.object({
        jobId: id,
        jobName: z.string(),
        organizationName: z.string(),
        status: z.nullable(z.enum(['Warning', 'Failed'])),
      }),
    ),
  }),
);
export type ProvedJobs = z.infer<typeof provedJobs>;

export const readProvedJobs = declareCall({
  method: 'GET',
  path: '/o365/dashboard/proofs',
  access,
  query: z.strictObject(ofCompany),
  ...itemOf(provedJobs),
  failure: 'The proofs could not be read. Try again later.',
  summary: 'Whether jobs can be restored: by the last proof of each, and the last of all.',
});

export const addPeopleToJob = declareCall({
  method: 'POST',
  path: '/o365/jobs/{jobId}/people',
  access: 'o365.jobs',
  audit: 'm365-job.edit',
  params: z.strictObject({ jobId: id }),
  body: z.strictObject({
    organizationId: id,
    /** Whom: those that no job has, or those that this job leaves out. */
    reason: z.enum(['no-job', 'excluded']),
  }),
  ...itemOf(z.object({ people: z.int() })),
  failure: 'The people could not be added to the job. Try again later.',
  summary:
    'Adds people who are not backed up to a job: all of the organization whom no job has, or whom this job leaves out.',
});
