import * as z from 'zod/mini';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, instantInQuery, oneOrMore, sortBy, text } from '../wire/fields.ts';
import { listOf } from '../wire/replies.ts';
import { AUDIT_ACTIONS, type AuditAction } from './actions.ts';

/** One entry of the audit log: what a user did or attempted. */
export const userLog = entity(
  'UserLog',
  z.object({
    _id: id,
    at: instant,
    /** `null`: no user had signed in; then `username` is the name that was tried. */
    userId: z.nullable(id),
    username: z.nullable(z.string()),
    /** The user as whom an administrator did it. */
    asUserId: z.nullable(id),
    asUsername: z.nullable(z.string()),
    /** Name of the API key with which a program did it. */
    apiKey: z.nullable(z.string()),
    action: z.string(),
    /** The action as people read it. */
    actionText: z.string(),
    targetKind: z.nullable(z.string()),
    targetId: z.nullable(z.string()),
    /** `null` where the target has no name, does not exist any more, or is outside what the caller may see. */
    targetName: z.nullable(z.string()),
    address: z.nullable(z.string()),
    /** What was before and what was given, field by field as the action has it. */
    before: z.unknown(),
    after: z.unknown(),
  }),
);
export type UserLog = z.infer<typeof userLog>;

// The keys of a typed constant.
const ACTIONS = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

/** The `count` of the list stops here. */
export const LOG_COUNT_MAX = 100_000;

const sorts = ['at', 'username', 'action'] as const;
const logFilter = {
  from: z.optional(instantInQuery),
  to: z.optional(instantInQuery),
  ids: z.optional(oneOrMore(id)),
  /** Who did it, or as whom. */
  userIds: z.optional(oneOrMore(id)),
  actions: z.optional(oneOrMore(z.enum(ACTIONS))),
  targetIds: z.optional(oneOrMore(id)),
  /** In the name of the user, the text of the action or the address. */
  search: z.optional(text(200)),
};

export const listUserLogs = declareCall({
  method: 'GET',
  path: '/reporting/users/logs',
  access: ['monitoring.userLogs', 'o365.userLogs'],
  ...listOf(userLog, { sorts, query: logFilter }),
  failure: 'Error while trying to get the users logs, try again later.',
  summary: 'What users did and attempted, newest first.',
});

export const exportUserLogs = declareCall({
  method: 'GET',
  path: '/reporting/users/logs/export',
  access: ['monitoring.userLogs', 'o365.userLogs'],
  audit: 'user-log.export',
  query: z.strictObject({ ...logFilter, sort: sortBy(sorts) }),
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The users logs of the list as CSV, streamed; file UsersLogs-{timestamp}.csv.',
});

export const listOwnLogs = declareCall({
  method: 'GET',
  path: '/profile/{id}/logs',
  access: 'signed-in',
  params: z.strictObject({ id }),
  ...listOf(userLog),
  failure: 'Error while trying to get the users logs, try again later.',
  summary: 'What the user did, and what administrators did as the user, newest first.',
});
