import {
  type addCompanyContact,
  CONTACTS_MAX,
  type CompanyContact,
} from '@keepwatch/contract/companies/company-contacts';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../foundation/database.ts';
import { conflict, notFound } from '../foundation/errors.ts';
import { readCount } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { companyContacts } from './tables.ts';

type ContactFields = CallInput<typeof addCompanyContact>['body'];

/** Which contact: its company is part of its address. */
interface ContactKey {
  companyId: string;
  contactId: string;
}

const COLUMNS = sql`k.id as "_id", k.name, k.role, k.email, k.phone`;

export function findContacts(connection: Connection, scope: Scope, companyId: string): Promise<CompanyContact[]> {
  return rows(
    connection,
    sql`select ${COLUMNS} from company_contacts k where ${scope.rows('k')} and k.company_id = ${companyId}
        order by lower(k.name), k.id limit ${CONTACTS_MAX}`,
  );
}

/** Adds a contact to a company of a provider that the caller has locked. Throws 409 where it has as many as it can have. */
export async function insertContact(
  connection: Connection,
  scope: Scope,
  companyId: string,
  fields: ContactFields,
): Promise<CompanyContact> {
  const count = await readCount(
    connection,
    sql`select count(*) as count from company_contacts k where ${scope.rows('k')} and k.company_id = ${companyId}`,
  );
  if (count >= CONTACTS_MAX)
    throw conflict(`A company has ${CONTACTS_MAX} contacts at most. Remove one to add another.`);
  const contact = { _id: newId(), ...columnsOf(fields) };
  const { _id: id, ...columns } = contact;
  await insert(connection, companyContacts, { providerId: scope.providerId, id, companyId, ...columns });
  return contact;
}

/** Replaces a contact; returns it as it was, too. Throws 404 for one that is not of this company. */
export async function updateContact(
  connection: Connection,
  scope: Scope,
  key: ContactKey,
  fields: ContactFields,
): Promise<{ before: CompanyContact; after: CompanyContact }> {
  const before = await lockContact(connection, scope, key);
  const columns = columnsOf(fields);
  await update(connection, companyContacts, columns, { providerId: scope.providerId, id: key.contactId });
  return { before, after: { ...before, ...columns } };
}

/** Removes a contact and returns it. Throws 404 for one that is not of this company. */
export async function removeContact(connection: Connection, scope: Scope, key: ContactKey): Promise<CompanyContact> {
  const before = await lockContact(connection, scope, key);
  await remove(connection, companyContacts, { providerId: scope.providerId, id: key.contactId });
  return before;
}

async function lockContact(
  connection: Connection,
  scope: Scope,
  { companyId, contactId }: ContactKey,
): Promise<CompanyContact> {
  const found = await row<CompanyContact>(
    connection,
    sql`select ${COLUMNS} from company_contacts k where ${scope.rows('k')} and k.company_id = ${companyId} and k.id = ${contactId} for update`,
  );
  if (found === null) throw notFound('contact');
  return found;
}

/** What is empty is not there. */
function columnsOf({ name, role, email, phone }: ContactFields) {
  return { name, role: role?.trim() || null, email: email ?? null, phone: phone?.trim() || null };
}
