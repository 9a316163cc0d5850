import {
  addCompanyContact,
  editCompanyContact,
  listCompanyContacts,
  removeCompanyContact,
} from '@keepwatch/contract/companies/company-contacts';
import { addCompanyNote, listCompanyNotes, removeCompanyNote } from '@keepwatch/contract/companies/company-notes';
import { change } from '../audit/change.ts';
import { lockProvider } from '../branding/brands.ts';
import type { Connection } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { Scope } from '../foundation/scope.ts';
import { findCompany } from './company-changes.ts';
import { findContacts, insertContact, removeContact, updateContact } from './company-contacts.ts';
import { findCompanyNotes, insertCompanyNote, removeOwnNote } from './company-notes.ts';

const LIVE = ['companies.changed'] as const;

/** Throws 404 for a company that is not within the caller's scope, or was deleted. */
async function requireCompany(connection: Connection, scope: Scope, id: string): Promise<void> {
  if ((await findCompany(connection, scope, id)) === null) throw notFound('company');
}

/** The calls about what people write down of a company: notes and contacts. */
export const companyRecordCalls: Route[] = [
  answer(listCompanyNotes, async ({ actor, database, scope }, { params: { id: companyId }, query }) => {
    await requireCompany(database, scope, companyId);
    return findCompanyNotes(database, scope, { ...query, companyId, callerId: actor.userId });
  }),

  answer(addCompanyNote, async (context, { params: { id }, body: { content } }) => {
    const { actor, scope } = context;
    const author = { userId: actor.userId, username: actor.username, at: context.now() };
    const data = await change(context, { kind: 'company', id }, async (connection) => {
      await requireCompany(connection, scope, id);
      const note = await insertCompanyNote(connection, scope, id, content, author);
      return { result: note, after: { content }, live: LIVE };
    });
    return { data };
  }),

  answer(removeCompanyNote, async (context, { params: { id, noteId } }) => {
    const { actor, scope } = context;
    await change(context, { kind: 'company', id }, async (connection) => {
      await requireCompany(connection, scope, id);
      const content = await removeOwnNote(connection, scope, { companyId: id, noteId, userId: actor.userId });
      return { result: null, before: { content }, live: LIVE };
    });
    return {};
  }),

  answer(listCompanyContacts, async ({ database, scope }, { params: { id } }) => {
    await requireCompany(database, scope, id);
    return { data: await findContacts(database, scope, id) };
  }),

  answer(addCompanyContact, async (context, { params: { id }, body }) => {
    const data = await change(context, { kind: 'company', id }, async (connection) => {
      // Of a company there are no more than a number: they are added one after the other.
      await lockProvider(connection, context.scope.providerId);
      await requireCompany(connection, context.scope, id);
      const contact = await insertContact(connection, context.scope, id, body);
      return { result: contact, after: contact, live: LIVE };
    });
    return { data };
  }),

  answer(editCompanyContact, async (context, { params: { id, contactId }, body }) => {
    const data = await change(context, { kind: 'company', id }, async (connection) => {
      await requireCompany(connection, context.scope, id);
      const { before, after } = await updateContact(connection, context.scope, { companyId: id, contactId }, body);
      return { result: after, before, after, live: LIVE };
    });
    return { data };
  }),

  answer(removeCompanyContact, async (context, { params: { id, contactId } }) => {
    await change(context, { kind: 'company', id }, async (connection) => {
      await requireCompany(connection, context.scope, id);
      const before = await removeContact(connection, context.scope, { companyId: id, contactId });
      return { result: null, before, live: LIVE };
    });
    return {};
  }),
];
