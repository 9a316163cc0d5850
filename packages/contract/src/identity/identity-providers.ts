import * as z from 'zod/mini';
import { ROLES } from '../abilities.ts';
import { declareCall, LIST_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, nameText } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

/** Roles that a group of an identity provider can give: all but the one that can change who signs in. */
export const GROUP_ROLES = ROLES.filter((role) => role !== 'super-admin');

/** What the members of a group may do here. Of several lines the first counts whose group the person is in. */
export const groupLine = z.strictObject({
  /** As the identity provider writes it: a name, or an id. Upper and lower case differ. */
  group: nameText(200),
  roles: z
    .array(z.enum(GROUP_ROLES))
    .check(z.minLength(1, 'must name at least one role'), z.maxLength(GROUP_ROLES.length)),
  /** What the members are limited to; `null`: all companies of the provider. */
  companyIds: z.nullable(z.array(id).check(z.minLength(1, 'must name at least one company'), z.maxLength(1_000))),
});
export type GroupLine = z.infer<typeof groupLine>;

/** A connection through which users sign in, with what its groups give. */
export const identityProvider = entity(
  'IdentityProvider',
  z.object({ _id: id, name: z.string(), isEnabled: z.boolean(), groups: z.array(groupLine) }),
);
export type IdentityProvider = z.infer<typeof identityProvider>;

export const listIdentityProviders = declareCall({
  method: 'GET',
  path: '/identity-providers',
  access: 'admin.connectors',
  /** Both addresses are registered at the identity provider: where it sends browsers back, after a sign-in and after a sign-out. */
  ...itemOf(z.array(identityProvider), { redirectAddress: z.string(), signedOutAddress: z.string() }),
  failure: 'The identity providers could not be read, try again later.',
  summary: 'The identity providers of the brand, and which roles their groups give.',
});

export const editGroups = declareCall({
  method: 'PUT',
  path: '/identity-providers/{id}/groups',
  access: 'admin.connectors',
  needs: 'session',
  audit: 'identity-provider.edit-groups',
  params: z.strictObject({ id }),
  body: z.strictObject({ groups: z.array(groupLine).check(z.maxLength(200)) }),
  bodyBytesMax: LIST_BODY_BYTES,
  ...itemOf(identityProvider),
  failure: 'The groups could not be saved, try again later.',
  summary:
    'Changes which roles and companies the groups of an identity provider give. It counts from the next sign-in of each user.',
});
