import * as z from 'zod/mini';
import { declareEvent, declareSubject } from '../foundation/outbox/domain-events.ts';

export const connectionSubject = declareSubject('connection');

/** A connection was found to fail, for the first time or still. */
export const connectionFails = declareEvent({
  name: 'connection.fails',
  subject: 'connection',
  payload: z.object({ name: z.string(), since: z.string(), reason: z.string() }),
});

/** A connection that failed works again. */
export const connectionWorks = declareEvent({ name: 'connection.works', subject: 'connection', payload: z.object({}) });

export const connectionSwitchedOff = declareEvent({
  name: 'connection.switched-off',
  subject: 'connection',
  payload: z.object({}),
});
