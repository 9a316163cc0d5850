import * as z from 'zod/mini';
import { declareEvent, declareSubject } from '../foundation/outbox/domain-events.ts';

export const sourceSubject = declareSubject('source');

export const sourceSwitchedOff = declareEvent({
  name: 'source.switched-off',
  subject: 'source',
  payload: z.object({}),
});
