import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, id, nameText, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** Whom to call at a company. They are no users of the portal. */

const access = 'common.companies' as const;

/** Contacts that one company can have. */
export const CONTACTS_MAX = 50;

export const companyContact = entity(
  'CompanyContact',
  z.object({
    _id: id,
    name: z.string(),
    role: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
  }),
);
export type CompanyContact = z.infer<typeof companyContact>;

const params = z.strictObject({ id, contactId: id });
const body = z.strictObject({
  name: nameText(200),
  role: z.optional(text(200)),
  email: z.optional(emailAddress),
  phone: z.optional(text(60)),
});

export const listCompanyContacts = declareCall({
  method: 'GET',
  path: '/companies/{id}/contacts',
  access,
  params: z.strictObject({ id }),
  ...itemOf(z.array(companyContact)),
  failure: 'The contacts could not be read, try again later.',
  summary: 'The contacts of a company, by name.',
});

export const addCompanyContact = declareCall({
  method: 'POST',
  path: '/companies/{id}/contacts',
  access,
  audit: 'company.add-contact',
  params: z.strictObject({ id }),
  body,
  ...itemOf(companyContact),
  failure: 'The contact could not be saved, try again later.',
  summary: 'Adds a contact to a company.',
});

export const editCompanyContact = declareCall({
  method: 'PUT',
  path: '/companies/{id}/contacts/{contactId}',
  access,
  audit: 'company.edit-contact',
  params,
  body,
  ...itemOf(companyContact),
  failure: 'The contact could not be saved, try again later.',
  summary: 'Replaces a contact of a company.',
});

export const removeCompanyContact = declareCall({
  method: 'DELETE',
  path: '/companies/{id}/contacts/{contactId}',
  access,
  audit: 'company.remove-contact',
  params,
  ...done,
  failure: 'The contact could not be removed, try again later.',
  summary: 'Removes a contact of a company.',
});
