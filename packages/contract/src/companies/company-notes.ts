import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, nameText } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** Notes of a company: what its technicians should know. They are added and removed, and never changed. */

const access = 'common.companies' as const;

export const companyNote = entity(
  'CompanyNote',
  z.object({
    _id: id,
    content: z.string(),
    by: z.string(),
    at: instant,
    /** The caller wrote it, and may remove it. */
    isOwn: z.boolean(),
  }),
);
export type CompanyNote = z.infer<typeof companyNote>;

export const listCompanyNotes = declareCall({
  method: 'GET',
  path: '/companies/{id}/notes',
  access,
  params: z.strictObject({ id }),
  ...listOf(companyNote),
  failure: 'The notes could not be read, try again later.',
  summary: 'The notes of a company, newest first.',
});

export const addCompanyNote = declareCall({
  method: 'POST',
  path: '/companies/{id}/notes',
  access,
  audit: 'company.add-note',
  params: z.strictObject({ id }),
  body: z.strictObject({ content: nameText(10_000) }),
  ...itemOf(companyNote),
  failure: 'The note could not be saved, try again later.',
  summary: 'Adds a note to a company.',
});

export const removeCompanyNote = declareCall({
  method: 'DELETE',
  path: '/companies/{id}/notes/{noteId}',
  access,
  audit: 'company.remove-note',
  params: z.strictObject({ id, noteId: id }),
  ...done,
  failure: 'The note could not be removed, try again later.',
  summary: 'Removes a note that the caller wrote.',
});
