import * as z from 'zod/mini';
import { ROLES } from '../abilities.ts';
import { newPassword } from '../identity/password-fields.ts';
import { userName } from '../identity/user-name.ts';
import { declareCall, file, LIST_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, id, instant, lineText, nameText, oneOrMore, page, sortBy, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

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
    /** Where the account is: in the directory of the provider (`ad`), or in the portal. */
    authType: z.enum(['ad', 'db']),
    /** Signs in through an identity provider alone, which keeps the password. */
    signsInElsewhere: z.boolean(),
    /** What the user is limited to, by name; `null`: all companies of the provider. */
    companies: z.nullable(z.array(z.object({ _id: id, name: z.string() }))),
    /** The first of these. */
    companyName: z.nullable(z.string()),
    createdAt: instant,
  }),
);
export type ListedUser = z.infer<typeof listedUser>;

/** `company` and `companies` are the name of the company, too (specification "portal", part 5). */
const sorts = ['name', 'username', 'email', 'state', 'companyName', 'company', 'companies', 'createdAt'] as const;
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

export const exportUserList = declareCall({
  method: 'POST',
  path: '/users/export',
  access: ['monitoring.users', 'o365.users'],
  audit: 'user.export',
  query: z.strictObject({ ...userFilter, sort: sortBy(sorts) }),
  body: z.strictObject({ format: z.literal('csv') }),
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The same file for clients that name the format in a body.',
});

const account = {
  name: lineText(200),
  email: emailAddress,
  roles: z.array(z.enum(ROLES)).check(z.minLength(1, 'must name at least one role'), z.maxLength(ROLES.length)),
  /** What the user is limited to; `null`: all companies of the provider. */
  companyIds: z.nullable(z.array(id).check(z.minLength(1, 'must name at least one company'), z.maxLength(1_000))),
};

/** A link with which a user sets a password. It is shown once: the portal stores only its hash. */
export const invitation = z.object({
  link: z.string(),
  expiresAt: instant,
  /** Whether it is mailed to the user, too. Without a connected mail server it has to be handed over. */
  isMailed: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;

export const createUser = declareCall({
  method: 'POST',
  path: '/users',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.create',
  body: z.strictObject({ username: userName, ...account }),
  bodyBytesMax: LIST_BODY_BYTES,
  ...itemOf(listedUser, { invitation }),
  failure: 'Error while creating the user. Try again later.',
  summary: 'Adds a user and invites that person to set a password.',
});

export const inviteUser = declareCall({
  method: 'POST',
  path: '/users/{id}/invite',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.invite',
  params: z.strictObject({ id }),
  ...itemOf(invitation),
  failure: 'Error while creating the user. Try again later.',
  summary: 'Makes a link with which a user sets a password; earlier links no longer work.',
});

export const editUser = declareCall({
  method: 'PUT',
  path: '/users/{id}',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.edit',
  params: z.strictObject({ id }),
  /** Companies that are not given stay as they are. */
  body: z.strictObject({ ...account, companyIds: z.optional(account.companyIds), isDisabled: z.boolean() }),
  bodyBytesMax: LIST_BODY_BYTES,
  ...itemOf(listedUser),
  failure: 'Error while editing the user. Try again later.',
  summary: 'Changes a user. One who is disabled is signed out everywhere at once.',
});

export const deleteUser = declareCall({
  method: 'DELETE',
  path: '/users/{id}',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.delete',
  params: z.strictObject({ id }),
  body: z.strictObject({
    reason: nameText(500),
    /** Of the user who asked for it, where that is another one. */
    userRequestedId: z.optional(id),
  }),
  ...done,
  failure: 'Error while deleting the user. Try again later.',
  summary: 'Deletes a user, who is signed out everywhere at once. What the user did stays in the users logs.',
});

export const removeUserAccount = declareCall({
  method: 'DELETE',
  path: '/users/delete/{id}',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.delete',
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: nameText(500) }),
  ...done,
  failure: 'Error while deleting the user. Try again later.',
  summary: 'Deletes a user as DELETE users/{id} does, for clients that do not say who asked for it.',
});

export const changeUserPassword = declareCall({
  method: 'PUT',
  path: '/users/{id}/changePassword/db',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.change-password',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: newPassword }),
  ...done,
  failure: 'There was an error while changing the password. Try again later',
  summary: 'Sets the password of another user, who is signed out everywhere and chooses a new one at the next sign-in.',
});
