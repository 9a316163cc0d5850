import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** So long a fault counts as open without being opened again: a browser that is gone does not stay in the way. */
export const VIEWER_SECONDS = 60;

/** Who has a fault open, so that two people do not work on the same one without knowing. It locks nothing. */
export const faultViewer = entity(
  'FaultViewer',
  z.object({
    faultId: id,
    username: z.string(),
    /** It is the caller. */
    isSelf: z.boolean(),
    since: instant,
  }),
);
export type FaultViewer = z.infer<typeof faultViewer>;

export const listFaultViewers = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/fault-viewers',
  access: 'monitoring.daily-checks',
  ...itemOf(z.array(faultViewer)),
  failure: 'Who has which fault open could not be read, try again later.',
  summary: 'The faults that users have open at this moment, and who they are.',
});

export const openFault = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/faults/{id}/viewers',
  access: 'monitoring.job-actions',
  audit: null, // It says where a user is, for a minute; nothing of the business is changed
  params: z.strictObject({ id }),
  /** The others who have it open: they were first. */
  ...itemOf(z.array(faultViewer)),
  failure: 'The fault could not be opened, try again later.',
  summary: `Says that the caller has this fault open, and no other one any more. It has to be said again within ${VIEWER_SECONDS} seconds.`,
});

export const closeFault = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/fault-viewers/own',
  access: 'monitoring.job-actions',
  audit: null, // As openFault
  ...done,
  failure: 'The fault could not be closed, try again later.',
  summary: 'Says that the caller has no fault open any more.',
});
