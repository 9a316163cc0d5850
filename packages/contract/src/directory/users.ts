import * as z from 'zod/mini';
import { ROLES } from '../abilities.ts';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText, oneOrMore, page, sortBy, text } from '../wire/fields.ts';
import { listOf } from '../wire/replies.ts';

export const USER_STATES = ['active', 'disabled'] as const;
export const USER_STATE_TEXTS: Readonly<Record<(typeof USER_STATES)[number], string>> = {
  active: 'Active',
  disabled: 'Disabled',
};

/** A user as others see one. */
export const listedUser = entity(
  'ListedUser',
  z.object({
    _id: id,
    username: z.string(),
    name: z.string(),
    email: z.string(),
    acl: z.array(z.object({ role: z.enum(ROLES) })),
    state: z.enum(USER_STATES),
    /** What the user is limited to, by name; `null`: all companies of the provider. */
    companies: z.nullable(z.array(z.object({ _id: id, name: z.string() }))),
    /** The first of these. */
    companyName: z.nullable(z.string()),
    createdAt: instant,
  }),
);
export type ListedUser = z.infer<typeof listedUser>;

const sorts = ['name', 'username', 'email', 'state', 'companyName', 'createdAt'] as const;
const userFilter = {
  /** In the name, the user name or the address. */
  search: z.optional(text(200)),
  roles: z.optional(oneOrMore(z.enum(ROLES))),
  states: z.optional(oneOrMore(z.enum(USER_STATES))),
  ids: z.optional(oneOrMore(id)),
};

export const listUsers = declareCall({
  method: 'GET',
  path: '/reporting/users',
  access: ['monitoring.users', 'o365.users'],
  ...listOf(listedUser, { sorts, query: userFilter }),
  failure: 'Error while getting the users. Try again later.',
  summary: 'Users with their roles and the companies that they are limited to.',
});

export const listUsersToNotify = declareCall({
  method: 'GET',
  path: '/companies/{veeamId}/users-to-notify',
  access: ['o365.jobs', 'common.companies'],
  /** The id of the company in a VSPC console, or in this portal. */
  params: z.strictObject({ veeamId: nameText(200) }),
  query: z.strictObject({ ...page, search: z.optional(text(200)), ids: z.optional(oneOrMore(id)) }),
  reply: z.object({
    success: z.literal(true),
    count: z.int(),
    users: z.array(z.object({ _id: id, name: z.string(), email: z.string() })),
  }),
  failure: 'Error while getting the users to notify. Try again later.',
  summary: 'Users who may be mailed about a company: those who may see it, among those whom the caller may see.',
});

export const exportUsers = declareCall({
  method: 'GET',
  path: '/reporting/users/export',
  access: ['monitoring.users', 'o365.users'],
  audit: 'user.export',
  query: z.strictObject({ ...userFilter, sort: sortBy(sorts) }),
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The users of the list as CSV, streamed; file Users-{timestamp}.csv.',
});
