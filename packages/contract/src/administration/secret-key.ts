import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { instant } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** The key with which everything is sealed that is stored and never shown, for those who run the installation. */

/** What is typed to confirm that a new key is brought in force. */
export const ROTATE_WORD = 'rotate';

/** A setting of the environment, or a file in the data folder. */
const origin = z.enum(['environment', 'file']);
/** The same for the same key on all machines; the key cannot be worked out from it. */
const keyId = z.string();

export const secretKey = entity(
  'SecretKey',
  z.object({
    id: keyId,
    origin,
    /** When it was first used; `null` where that was not recorded. */
    since: z.nullable(instant),
    /** Whether a new one can be made from the screen: elsewhere it is brought in force by settings, on all machines. */
    canRotate: z.boolean(),
    /** How many values are sealed. */
    values: z.int(),
    /** Of these, those that no key of this machine opens. */
    lost: z.int(),
    /** The key before it, while this machine has it. */
    previous: z.nullable(
      z.object({
        id: keyId,
        origin,
        /** How many values are still sealed with it. */
        values: z.int(),
        /** Whether the portal does not start without it. */
        isNeeded: z.boolean(),
      }),
    ),
  }),
);
export type SecretKey = z.infer<typeof secretKey>;

const access = 'admin.settings' as const;

export const getSecretKey = declareCall({
  method: 'GET',
  path: '/admin/secret-key',
  access,
  ...itemOf(secretKey),
  failure: 'The key of the stored secrets could not be looked at, try again later.',
  summary: 'Which key the stored secrets are sealed with, and how far a rotation is. Never the key itself.',
});

export const rotateSecretKey = declareCall({
  method: 'POST',
  path: '/admin/secret-key/rotate',
  access,
  needs: 'own-session',
  audit: 'secret-key.rotate',
  body: z.strictObject({ confirmation: z.literal(ROTATE_WORD, `Type ${ROTATE_WORD} to confirm.`) }),
  ...done,
  failure: 'The key could not be rotated, try again later.',
  summary:
    'Makes a new key, with which everything is sealed from now on; what is stored is sealed with it in the background.',
});

export const removePreviousKey = declareCall({
  method: 'DELETE',
  path: '/admin/secret-key/previous',
  access,
  needs: 'own-session',
  audit: 'secret-key.remove-previous',
  ...done,
  failure: 'The previous key could not be deleted, try again later.',
  summary: 'Deletes the file of the previous key; refused while anything is still sealed with it.',
});
