import * as z from 'zod/mini';
import { declareEvent, declareSubject } from '../../foundation/outbox/domain-events.ts';

/** A repository of Microsoft 365 backups. */
export const repositorySubject = declareSubject('m365-repository');

/** Objects were erased from a repository: for what has names or contents of them. */
export const objectsErased = declareEvent({
  name: 'm365-repository.objects-erased',
  subject: repositorySubject.kind,
  payload: z.object({ keys: z.array(z.string()) }),
});
