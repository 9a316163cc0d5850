import * as z from 'zod/mini';
import { ROLES } from '../abilities.ts';
import { providerClock } from '../backup-days/backup-clock.ts';
import { declareCall, LIST_BODY_BYTES, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, id, lineText, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { passkeyRequest } from './passkey-fields.ts';
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
    /** By what the provider counts days: everything that says a day uses it. */
    backupClock: providerClock,
    companyIds: z.nullable(z.array(id)),
    mobilePhone: z.nullable(z.string()),
    officePhone: z.nullable(z.string()),
    /** The page that the user begins with. */
    landingApp: z.nullable(landingApp),
    passwordReset: z.boolean(),
    /** In which kinds of consoles the user has an account. */
    sso: z.object({ vac: z.boolean(), vcd: z.boolean(), zerto: z.boolean() }),
    /** Where the account is: in the directory of the provider (`ad`), or in the portal. */
    authType: z.enum(['ad', 'db']),
    /** The user has not chosen the secret questions yet that an account of a directory needs: nothing else opens in the browser. */
    forceSecurityQuestions: z.boolean(),
    theme,
    preferences,
    /** Whether the terms of use of Microsoft 365 were accepted (specification "portal", part 4). It is the preference `o365.terms-of-use`. */
    ackO365TermsOfUse: z.boolean(),
    /** The provider requires a second factor, and the user has none: nothing else opens until one is added. */
    secondFactorNeeded: z.boolean(),
    /** Otherwise the user signs in through an identity provider alone. */
    hasPassword: z.boolean(),
  }),
);
export type User = z.infer<typeof user>;

export const signedIn = z.object({ success: z.literal(true), token: z.string(), userId: id, user });
export type SignedIn = z.infer<typeof signedIn>;

/** The password was right, and a second factor is asked for. */
const secondFactorAsked = z.object({
  success: z.literal(true),
  secondFactor: z.object({
    /** Proves the password for five minutes; with a second factor it opens one session. */
    challenge: z.string(),
    kinds: z.array(z.enum(['authenticator', 'passkey', 'sms', 'recovery-code'])),
    /** What a browser proves with one of the user's passkeys; `null`: there is none. */
    passkey: z.nullable(passkeyRequest),
    /** The phone to which a code can be sent, shown in part, and whether one was sent just now; `null`: there is none. */
    sms: z.nullable(z.object({ phone: z.string(), isSent: z.boolean() })),
  }),
});
export type SecondFactorAsked = z.infer<typeof secondFactorAsked>['secondFactor'];

/** What ends a sign-in, or goes on with it. */
export const signInReply = z.union([signedIn, secondFactorAsked]);
export type SignInReply = z.infer<typeof signInReply>;

/** The session of a sign-in. Throws where a second factor is asked for first. */
export function sessionOf(reply: SignInReply): SignedIn {
  if ('token' in reply) return reply;
  throw new Error('This account signs in with a second factor. Use one without.');
}

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
  reply: signInReply,
  failure: 'Signing in failed, try again later.',
  summary: 'Signs in with a database account, or asks for its second factor.',
});

export const signInWithCode = declareCall({
  method: 'POST',
  path: '/auth/login/second-factor/code',
  access: 'public',
  audit: null, // The handler records session.sign-in or session.refused-code, also of those who are not let in
  body: z.strictObject({
    challenge: text(100),
    /** Of the authenticator app, or a recovery code. */
    code: text(40).check(z.trim(), z.minLength(1)),
    /** No second factor is asked for on this computer for 30 days. */
    rememberComputer: z._default(z.boolean(), false),
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply: signedIn,
  failure: 'Signing in failed, try again later.',
  summary: 'Ends a sign-in with a code of an authenticator app, or with a recovery code.',
});

export const signOut = declareCall({
  method: 'POST',
  path: '/auth/logout',
  access: 'signed-in',
  audit: 'session.sign-out',
  reply: z.object({
    success: z.literal(true),
    /** Where the browser signs out at the identity provider, too, and comes back from; `null`: there is no such place. */
    address: z.nullable(z.string()),
  }),
  failure: 'Signing out failed, try again later.',
  summary: 'Ends this session at once, and says where to end the one at the identity provider.',
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
    /** Only the user accepts: not who acts as the user. */
    ackO365TermsOfUse: z.optional(z.boolean()),
    username: z.optional(userName),
    name: z.optional(lineText(200)),
    /** Another address takes the current password of a user who has one here: links to set a password are mailed there. */
    email: z.optional(emailAddress),
    password: z.optional(givenPassword),
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
    username: userName,
    name: lineText(200),
    email: emailAddress,
    password: newPassword,
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'The account could not be created, try again later.',
  summary: 'Creates the first account of a new installation, once, with the link that its first start printed.',
});
