import {
  addCompanyContact,
  CONTACTS_MAX,
  editCompanyContact,
  listCompanyContacts,
  removeCompanyContact,
} from '@keepwatch/contract/companies/company-contacts';
import { addCompanyNote, listCompanyNotes, removeCompanyNote } from '@keepwatch/contract/companies/company-notes';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';
let portal: TestPortal;
let admin: Caller;
let id: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
});
beforeEach(async () => {
  await portal.database.query('truncate company_notes, company_contacts, audit_entries');
  id = await buildCompany(portal.database, { name: 'Acme' });
});
afterAll(() => portal.stop());

const params = () => ({ id });
const notes = async (caller = admin) =>
  (await caller.call(listCompanyNotes, { params: params(), query: { limit: 50 } })).data;
const contacts = async () => (await admin.call(listCompanyContacts, { params: params() })).data;
const addNote = async (content: string, caller = admin) =>
  (await caller.call(addCompanyNote, { params: params(), body: { content } })).data;
const entries = (action: string) =>
  rows<object>(
    portal.database,
    sql`select target_id as "targetId", before, after from audit_entries where action = ${action}`,
  );

/** Callers for whom the company is not there: of another provider, and limited to another company. */
async function strangers(): Promise<Caller[]> {
  const other = await buildCompany(portal.database);
  return [await portal.as('admin', { providerId: 2 }), await portal.as('sub-sp', { companyIds: [other] })];
}

describe('GET companies/{id}/notes', () => {
  it('200: lists the notes of the company alone, newest first, and marks those of the caller', async () => {
    const reseller = await portal.as('sub-sp', { companyIds: [id] });
    await addNote('Backups pause on Sundays', reseller);
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    await addNote('Ask for Anna');
    portal.clock.now = TEST_NOW;
    const other = await buildCompany(portal.database);
    await admin.call(addCompanyNote, { params: { id: other }, body: { content: 'Another' } });
    expect(await notes()).toMatchObject([
      { content: 'Ask for Anna', by: admin.username, isOwn: true },
      { content: 'Backups pause on Sundays', by: reseller.username, at: TEST_NOW.toISOString(), isOwn: false },
    ]);
    const page = await admin.call(listCompanyNotes, { params: params(), query: { limit: 1, offset: 1 } });
    expect([page.count, page.data[0]?.content]).toEqual([2, 'Backups pause on Sundays']);
  });

  it('404: of a company outside the scope of the caller, and of one that is not there', async () => {
    for (const stranger of await strangers())
      expect((await stranger.send(listCompanyNotes, { params: params(), query: {} })).status).toBe(404);
    expect((await admin.send(listCompanyNotes, { params: { id: MISSING }, query: {} })).status).toBe(404);
  });
});

describe('POST companies/{id}/notes', () => {
  it('200: adds a note, as the log says', async () => {
    expect(await addNote('  Backups pause on Sundays ')).toMatchObject({
      content: 'Backups pause on Sundays',
      isOwn: true,
    });
    const after = { content: 'Backups pause on Sundays' };
    expect(await entries('company.add-note')).toEqual([{ targetId: id, before: null, after }]);
  });

  it('404: to a company outside the scope of the caller', async () => {
    for (const stranger of await strangers())
      expect((await stranger.send(addCompanyNote, { params: params(), body: { content: 'x' } })).status).toBe(404);
    expect(await notes()).toEqual([]);
  });

  it('422: without a text', async () => {
    expect((await admin.send(addCompanyNote, { params: params(), body: { content: ' ' } })).status).toBe(422);
  });
});

describe('DELETE companies/{id}/notes/{noteId}', () => {
  it('200: removes a note of the caller, whose text the log has', async () => {
    const { _id: noteId } = await addNote('Wrong');
    await admin.call(removeCompanyNote, { params: { id, noteId } });
    expect(await notes()).toEqual([]);
    expect(await entries('company.remove-note')).toMatchObject([{ targetId: id, before: { content: 'Wrong' } }]);
  });

  it('404: of another user, of another company, outside the scope, and one that is not there', async () => {
    const { _id: noteId } = await addNote('Stays');
    const colleague = await portal.as('admin');
    const other = await buildCompany(portal.database);
    for (const [caller, key] of [
      [colleague, { id, noteId }],
      [admin, { id: other, noteId }],
      [admin, { id, noteId: MISSING }],
      ...(await strangers()).map((stranger) => [stranger, { id, noteId }] as const),
    ] as const)
      expect((await caller.send(removeCompanyNote, { params: key })).status).toBe(404);
    expect(await notes()).toHaveLength(1);
  });
});

describe('GET companies/{id}/contacts', () => {
  it('200: lists the contacts of the company by name', async () => {
    for (const name of ['Zoe', 'anna']) await admin.call(addCompanyContact, { params: params(), body: { name } });
    expect((await contacts()).map(({ name }) => name)).toEqual(['anna', 'Zoe']);
  });

  it('404: of a company outside the scope of the caller', async () => {
    for (const stranger of await strangers())
      expect((await stranger.send(listCompanyContacts, { params: params() })).status).toBe(404);
  });
});

describe('POST companies/{id}/contacts', () => {
  it('200: adds a contact, of which what is empty is not there', async () => {
    const body = { name: 'Anna Berg', role: ' ', email: 'anna@acme.test' };
    const { data } = await admin.call(addCompanyContact, { params: params(), body });
    expect(data).toMatchObject({ name: 'Anna Berg', role: null, email: 'anna@acme.test', phone: null });
    expect(await contacts()).toEqual([data]);
    expect(await entries('company.add-contact')).toMatchObject([{ targetId: id }]);
  });

  it('409: says how many there can be', async () => {
    await portal.database.query(
      `insert into company_contacts (provider_id, id, company_id, name) select 1, gen_random_uuid(), $1, n::text from generate_series(1, $2::int) n`,
      [id, CONTACTS_MAX],
    );
    const refused = await admin.send(addCompanyContact, { params: params(), body: { name: 'One more' } });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('50 contacts at most');
  });

  it('404: to a company outside the scope of the caller', async () => {
    for (const stranger of await strangers())
      expect((await stranger.send(addCompanyContact, { params: params(), body: { name: 'x' } })).status).toBe(404);
    expect(await contacts()).toEqual([]);
  });
});

describe('PUT and DELETE companies/{id}/contacts/{contactId}', () => {
  const add = async () =>
    (await admin.call(addCompanyContact, { params: params(), body: { name: 'Anna', phone: '+1 555 0100' } })).data._id;

  it('200: replaces a contact', async () => {
    const contactId = await add();
    const { data } = await admin.call(editCompanyContact, {
      params: { id, contactId },
      body: { name: 'Anna Berg', role: 'IT' },
    });
    expect(data).toEqual({ _id: contactId, name: 'Anna Berg', role: 'IT', email: null, phone: null });
    expect(await contacts()).toEqual([data]);
    expect(await entries('company.edit-contact')).toMatchObject([{ before: { name: 'Anna' } }]);
  });

  it('200: removes a contact', async () => {
    const contactId = await add();
    await admin.call(removeCompanyContact, { params: { id, contactId } });
    expect(await contacts()).toEqual([]);
    expect(await entries('company.remove-contact')).toMatchObject([{ before: { name: 'Anna' } }]);
  });

  it('404: of another company, outside the scope, and one that is not there', async () => {
    const contactId = await add();
    const other = await buildCompany(portal.database);
    for (const [caller, key] of [
      [admin, { id: other, contactId }],
      [admin, { id, contactId: MISSING }],
      ...(await strangers()).map((stranger) => [stranger, { id, contactId }] as const),
    ] as const) {
      expect((await caller.send(editCompanyContact, { params: key, body: { name: 'x' } })).status).toBe(404);
      expect((await caller.send(removeCompanyContact, { params: key })).status).toBe(404);
    }
    expect(await contacts()).toHaveLength(1);
  });
});
