import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { day, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

/** By what a provider counts days, and how far that is done. */
export const providerClock = entity(
  'BackupClock',
  z.object({
    /** As the time zone database names it: `Europe/Berlin`. */
    timeZone: z.string(),
    /** The hour at which a backup day begins, 0 to 23. */
    beginHour: z.int(),
    /** Whether a person chose it; without a choice days are those of UTC. */
    isChosen: z.boolean(),
    /** After a change: days before this one are still counted by the clock before. `null`: all days are counted by this clock. */
    recountedFrom: z.nullable(day),
    /** A stored time zone that this server does not know any more, so that UTC counts; otherwise `null`. */
    unknownTimeZone: z.nullable(z.string()),
  }),
);
export type ProviderClock = z.infer<typeof providerClock>;

export const getBackupClock = declareCall({
  method: 'GET',
  path: '/backup-clock',
  access: 'signed-in',
  ...itemOf(providerClock),
  failure: 'The time zone could not be read, try again later.',
  summary: 'The time zone of the provider and the hour at which its backup day begins.',
});

export const editBackupClock = declareCall({
  method: 'PUT',
  path: '/backup-clock',
  access: 'admin.connectors',
  audit: 'backup-clock.edit',
  body: z.strictObject({
    timeZone: text(60).check(z.minLength(1)),
    beginHour: z.int().check(z.minimum(0), z.maximum(23)),
  }),
  ...itemOf(providerClock),
  failure: 'The time zone could not be changed, try again later.',
  summary:
    'Changes the time zone of the provider and the hour at which its backup day begins. The last days are recounted at once, older ones in the background.',
});
