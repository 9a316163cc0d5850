import * as z from 'zod/mini';
import { deviceCode } from '../microsoft365/organizations.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, instantInBody, instantInQuery, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';
import { restoreOperation, session } from './explorer.ts';

/** Restore points, sessions in which one is looked at, who may write back, and what is being restored. */

const access = 'o365.restorePortal' as const;

/** Mail, drives, sites, teams: by the names that Veeam's explorers have. */
export const SESSION_TYPES = ['vex', 'veod', 'vesp', 'vet'] as const;
export type SessionType = (typeof SESSION_TYPES)[number];

const where = { companyId: id, organizationId: id };

export const requestRestoreCode = declareCall({
  method: 'POST',
  path: '/o365/restore/devicecode',
  access,
  audit: null, // Nothing is changed before the code is used, which has its own entry
  body: z.strictObject(where),
  ...itemOf(deviceCode),
  failure: 'Error getting the device code. Try again later.',
  summary:
    'A code by which the person at the screen proves to be an administrator of the tenant, or the owner of what is restored.',
});

const restoreToken = entity(
  'RestoreToken',
  z.object({
    /** Who signed in. */
    account: z.string(),
    /** An administrator restores everything, by the application that may write; anyone else what is their own, as themselves. */
    role: z.enum(['administrator', 'owner']),
    expiresAt: instant,
  }),
);

export const confirmRestoreCode = declareCall({
  method: 'POST',
  path: '/o365/restore/token',
  access,
  audit: 'restore-token.create',
  body: z.strictObject({ ...where, userCode: text(50).check(z.minLength(1)) }),
  ...itemOf(restoreToken),
  failure: 'Error getting the device code. Try again later.',
  summary:
    'Whether the code was entered, and by whom. Answers 409 `DEVICE_CODE_PENDING` until it is: ask again after the interval.',
});

export const restorePoint = entity(
  'RestorePoint',
  z.object({
    id: z.string(),
    jobId: z.nullable(id),
    jobName: z.string(),
    repositoryId: id,
    organizationId: id,
    backupTime: instant,
    result: z.enum(['Success', 'Warning', 'Failed']),
    /** Whether something of it is missing. */
    isPartial: z.boolean(),
    isExchange: z.boolean(),
    isOneDrive: z.boolean(),
    isSharePoint: z.boolean(),
    isTeams: z.boolean(),
    /** Of all that was backed up: `null` for a restore operator, who sees a part of it. */
    incompleteObjects: z.nullable(z.int()),
    itemsRead: z.nullable(z.int()),
    itemsLost: z.nullable(z.int()),
  }),
);
export type RestorePoint = z.infer<typeof restorePoint>;

export const listRestorePoints = declareCall({
  method: 'GET',
  path: '/o365/restore/restorepoints',
  access,
  ...listOf(restorePoint, {
    query: {
      companyId: z.optional(id),
      organizationId: id,
      from: z.optional(instantInQuery),
      to: z.optional(instantInQuery),
      jobId: z.optional(id),
    },
  }),
  failure: 'The restore points could not be read. Try again later.',
  summary: 'Restore points of an organization, or of one of its jobs, newest first.',
});

export const restoreSession = entity(
  'RestoreSession',
  z.object({
    id,
    companyId: id,
    organizationId: id,
    jobId: z.nullable(id),
    sessionType: z.enum(SESSION_TYPES),
    /** What was asked for, and the newest restore point that is shown for it. */
    datetime: instant,
    backupTime: instant,
    isPartial: z.boolean(),
    showDeleted: z.boolean(),
    state: z.enum(['Working', 'Stopped']),
    /** Whether a device code was confirmed, so that restores are accepted; `null` where none was. */
    token: z.nullable(restoreToken),
    expiresAt: instant,
  }),
);
export type RestoreSession = z.infer<typeof restoreSession>;

export const openRestoreSession = declareCall({
  method: 'POST',
  path: '/o365/restore/restoresessions',
  access,
  audit: 'restore-session.create',
  body: z.strictObject({
    companyId: id,
    organizationId: id,
    /** The newest restore points at or before it are shown: one of each job, or of `jobId` alone. */
    datetime: instantInBody,
    sessionType: z.enum(SESSION_TYPES),
    jobId: z.optional(z.nullable(id)),
    /** Also what earlier restore points have and these no longer do. */
    showDeleted: z._default(z.boolean(), false),
  }),
  ...itemOf(restoreSession),
  failure: 'The restore session could not be opened. Try again later.',
  summary: 'Opens what was backed up as it was at an instant. The session is of the user who opens it.',
});

export const stopRestoreSession = declareCall({
  method: 'POST',
  path: '/o365/restore/restoresessions/{restoreSessionId}/stop',
  access,
  audit: 'restore-session.stop',
  params: session,
  ...done,
  failure: 'Error stopping restore session.',
  summary: 'Ends a session. Restores and downloads that were begun in it go on.',
});

export const listRestoreOperations = declareCall({
  method: 'GET',
  path: '/o365/restore/operations',
  access,
  ...listOf(restoreOperation, { query: { companyId: z.optional(id), organizationId: z.optional(id) } }),
  failure: 'The restores could not be read. Try again later.',
  summary: 'Restores of the user, newest first.',
});

const operation = z.strictObject({ operationId: id });

export const readRestoreOperation = declareCall({
  method: 'GET',
  path: '/o365/restore/operations/{operationId}',
  access,
  params: operation,
  ...itemOf(restoreOperation),
  failure: 'The restore could not be read. Try again later.',
  summary: 'How far a restore is, or how it ended.',
});

export const cancelRestoreOperation = declareCall({
  method: 'POST',
  path: '/o365/restore/operations/{operationId}',
  access,
  audit: 'restore.cancel',
  params: operation,
  body: z.strictObject({ action: z.literal('cancel') }),
  ...itemOf(restoreOperation),
  failure: 'The restore could not be cancelled. Try again later.',
  summary: 'Asks a restore to end. What it has written stays.',
});

const operationItem = entity(
  'RestoreOperationItem',
  z.object({
    id: z.string(),
    kind: z.string(),
    name: z.string(),
    path: z.string(),
    /** Of a plan what would become of it; of a restore what did, where that is not what was asked for. */
    outcome: z.enum(['create', 'keep-both', 'replace', 'skipped', 'failed', 'incomplete', 'changed']),
    reason: z.string(),
  }),
);

export const listRestoreOperationItems = declareCall({
  method: 'GET',
  path: '/o365/restore/operations/{operationId}/items',
  access,
  params: operation,
  ...listOf(operationItem, { query: { outcome: z.optional(text(20)) } }),
  failure: 'The items of the restore could not be read. Try again later.',
  summary:
    'Of a plan each item, of a restore those that failed, were skipped, or came back without a part: the first 10,000.',
});
