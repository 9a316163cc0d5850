import * as z from 'zod/mini';
import { ROLES } from '../abilities.ts';
import { declareCall, LIST_BODY_BYTES, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, id, nameText, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword, newPassword } from './password-fields.ts';
import { preferences } from './preferences.ts';
import { userName } from './user-name.ts';

export const theme = z.object({
  /** `auto` follows the system, until the user has chosen one. */
  mode: z.enum(['dark', 'light', 'auto']),
  sidebarMini: z.boolean(),
  sidebarColor: text(20),
});
export type Theme = z.infer<typeof theme>;

export const landingApp = z.strictObject({
  page: text(200).check(z.regex(/^\/[a-z0-9/-]+$/, 'must be a page of the portal')),
});

/** A number as people write it. */
const phoneNumber = z.nullable(
  text(40).check(z.regex(/^\+?[\d ()./-]{4,}$/, 'must be a phone number like +1 555 0100')),
);

/** The signed-in user, as the browser keeps it. */
export const user = entity(
  'User',
  z.object({
    id,
    username: z.string(),
    email: z.string(),
    name: z.string(),
    acl: z.array(z.object({ role: z.enum(ROLES) })),
    serviceProviderId: z.int(),
    companyIds: z.nullable(z.array(id)),
    mobilePhone: z.nullable(z.string()),
    officePhone: z.nullable(z.string()),
    /** The page that the user begins with. */
    landingApp: z.nullable(landingApp),
    passwordReset: z.boolean(),
    theme,
    preferences,
  }),
);
export type User = z.infer<typeof user>;

export const signIn = declareCall({
  method: 'POST',
  path: '/auth/login/db',
  access: 'public',
  audit: null, // The handler records session.sign-in or session.refused, also of those who are not let in
  body: z.strictObject({
    username: text(200).check(z.minLength(1)),
    password: givenPassword,
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply: z.object({ success: z.literal(true), token: z.string(), userId: id, user }),
  failure: 'Signing in failed, try again later.',
  summary: 'Signs in with a database account.',
});

export const signOut = declareCall({
  method: 'POST',
  path: '/auth/logout',
  access: 'signed-in',
  audit: 'session.sign-out',
  ...done,
  failure: 'Signing out failed, try again later.',
  summary: 'Ends this session at once.',
});

export const getProfile = declareCall({
  method: 'GET',
  path: '/profile/{id}',
  access: 'signed-in',
  params: z.strictObject({ id }),
  ...itemOf(user),
  failure: 'Error while getting the profile, try again later.',
  summary: "The user's own profile.",
});

export const editProfile = declareCall({
  method: 'PUT',
  path: '/profile/{id}',
  access: 'signed-in',
  audit: 'profile.edit',
  params: z.strictObject({ id }),
  body: z.strictObject({
    theme: z.optional(z.partial(z.strictObject(theme.shape))),
    preferences: z.optional(preferences),
    username: z.optional(userName),
    name: z.optional(nameText(200)),
    email: z.optional(emailAddress),
    mobilePhone: z.optional(phoneNumber),
    officePhone: z.optional(phoneNumber),
    landingApp: z.optional(z.nullable(landingApp)),
  }),
  bodyBytesMax: LIST_BODY_BYTES,
  ...itemOf(user),
  failure: 'Sorry, edit profile failed',
  summary: "Changes the user's own details, theme, landing page and preferences; what is not given stays.",
});

export const checkSetupLink = declareCall({
  method: 'GET',
  path: '/auth/setup/{token}',
  access: 'public',
  params: z.strictObject({ token: text(100) }),
  ...done,
  failure: 'The link could not be checked, try again later.',
  summary: 'Whether the first account can be created with this link.',
});

export const createFirstAccount = declareCall({
  method: 'POST',
  path: '/auth/setup/{token}',
  access: 'public',
  audit: 'user.create-first',
  params: z.strictObject({ token: text(100) }),
  body: z.strictObject({
    username: text(60).check(z.minLength(3)),
    name: text(200).check(z.minLength(1)),
    email: emailAddress,
    password: newPassword,
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'The account could not be created, try again later.',
  summary: 'Creates the first account of a new installation, once, with the link that its first start printed.',
});
