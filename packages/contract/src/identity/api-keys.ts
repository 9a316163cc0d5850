import * as z from 'zod/mini';
import { ABILITIES } from '../abilities.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword } from './password-fields.ts';

/** How long a key may be valid, in days. */
export const KEY_DAYS_MAX = 366;
/** Keys of one user at a time. */
export const KEYS_MAX = 20;

/** A key with which programs of a user call the portal. */
export const apiKey = entity(
  'ApiKey',
  z.object({
    _id: id,
    name: z.string(),
    /** What calls can be made with it, as long as a role of the user has the ability, too. */
    abilities: z.array(z.string()),
    createdAt: instant,
    expiresAt: instant,
    /** To a minute. */
    lastAt: z.nullable(instant),
    lastAddress: z.nullable(z.string()),
  }),
);
export type ApiKey = z.infer<typeof apiKey>;

export const listApiKeys = declareCall({
  method: 'GET',
  path: '/profile/{id}/api-keys',
  access: 'signed-in',
  params: z.strictObject({ id }),
  ...itemOf(z.array(apiKey)),
  failure: 'Error while trying to get the API keys, try again later.',
  summary: "The user's own API keys, newest first, also those that have expired.",
});

export const createApiKey = declareCall({
  method: 'POST',
  path: '/profile/{id}/api-keys',
  access: 'signed-in',
  after: 'second-factor',
  needs: 'own-session',
  audit: 'api-key.create',
  params: z.strictObject({ id }),
  body: z.strictObject({
    /** The current one of the user: a key is a way in. */
    password: givenPassword,
    name: nameText(100),
    abilities: z
      .array(z.enum(ABILITIES))
      .check(z.minLength(1, 'must name at least one ability'), z.maxLength(ABILITIES.length)),
    /** In how many days it expires. */
    days: z
      .int()
      .check(z.gte(1, 'must be at least 1 day'), z.lte(KEY_DAYS_MAX, `must be at most ${KEY_DAYS_MAX} days`)),
  }),
  /** The token is shown this one time. */
  ...itemOf(apiKey, { token: z.string() }),
  failure: 'The API key could not be created, try again later.',
  summary:
    'A key for some abilities of the user. Programs send its token as the bearer of any call that wants one of these.',
});

export const revokeApiKey = declareCall({
  method: 'DELETE',
  path: '/profile/{id}/api-keys/{keyId}',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'api-key.delete',
  params: z.strictObject({ id, keyId: id }),
  ...done,
  failure: 'The API key could not be revoked, try again later.',
  summary: 'Calls with this key are refused from now on.',
});
