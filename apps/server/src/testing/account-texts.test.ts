import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCompany, deleteCompany, editCompany, getCompany } from '@keepwatch/contract/companies/companies';
import {
  changeUserPassword,
  createUser,
  deleteUser,
  editUser,
  listUsersToNotify,
} from '@keepwatch/contract/directory/users';
import { impersonate } from '@keepwatch/contract/identity/impersonation';
import {
  changeOwnPassword,
  checkPasswordLink,
  requestPasswordLink,
  setPasswordByLink,
} from '@keepwatch/contract/identity/passwords';
import { editProfile, getProfile, signOut } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { buildCompany } from './builders.ts';
import { refusal } from './refusal.ts';
import { type Caller, PASSWORD, startTestPortal, type TestPortal } from './test-portal.ts';

/**
 * The texts of the specification (part 8) about profiles, passwords, users, companies and sessions, each reached by making what it is about
 * go wrong. A text is added with a line.
 */
let portal: TestPortal;
let admin: Caller;
let person: Caller;
let companyId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
  person = await portal.as('operator');
  companyId = await buildCompany(portal.database, { name: 'Harbour Freight' });
});
afterAll(() => portal.stop());

const NEW_PASSWORD = 'another long password';
const REASON = { reason: 'Left' };
const account = { name: 'Ada', email: 'ada@example.test', roles: ['operator' as const], companyIds: null };
const named = (caller: Caller) => ({ params: { id: caller.userId } });

interface Reached {
  text: string;
  status: number;
  make: () => Promise<Response>;
}

const REFUSED: readonly Reached[] = [
  {
    text: 'The current password is not valid.',
    status: 401,
    make: () =>
      person.send(changeOwnPassword, { ...named(person), body: { password: 'wrong', newPassword: NEW_PASSWORD } }),
  },
  {
    text: 'The username already exists.',
    status: 409,
    make: () => person.send(editProfile, { ...named(person), body: { username: admin.username } }),
  },
  {
    text: 'Your session has expired. Please log in again to continue.',
    status: 401,
    make: async () => {
      const other = await portal.as('operator');
      await other.call(signOut, {});
      return other.send(getProfile, named(other));
    },
  },
];

interface Broken extends Omit<Reached, 'status'> {
  /** The table that the database can no longer write, or no longer read. */
  unwritable?: string;
  unreadable?: string;
}

const FAILED: readonly Broken[] = [
  {
    text: 'Sorry, change password failed.',
    unwritable: 'users',
    make: () =>
      person.send(changeOwnPassword, { ...named(person), body: { password: PASSWORD, newPassword: NEW_PASSWORD } }),
  },
  {
    text: 'Sorry, edit profile failed',
    unwritable: 'users',
    make: () => person.send(editProfile, { ...named(person), body: { name: 'Another name' } }),
  },
  {
    text: 'There was an error on the proccess, try again later',
    unwritable: 'sign_in_attempts',
    make: () => portal.anonymous.send(requestPasswordLink, { body: { login: 'ada' } }),
  },
  {
    text: 'There was an error while trying to check the link, try again later',
    unreadable: 'account_links',
    make: () => portal.anonymous.send(checkPasswordLink, { query: { hash: 'x' } }),
  },
  {
    text: 'There was an error while trying to change the password, try again later',
    unreadable: 'account_links',
    make: () => portal.anonymous.send(setPasswordByLink, { body: { hash: 'x', password: NEW_PASSWORD } }),
  },
  {
    text: 'Error while logging in',
    unwritable: 'sessions',
    make: () => admin.send(impersonate, { body: { userId: person.userId } }),
  },
  {
    text: 'Error while creating the user. Try again later.',
    unwritable: 'users',
    make: () => admin.send(createUser, { body: { username: 'ada', ...account } }),
  },
  {
    text: 'Error while editing the user. Try again later.',
    unwritable: 'users',
    make: () => admin.send(editUser, { ...named(person), body: { ...account, isDisabled: false } }),
  },
  {
    text: 'Error while deleting the user. Try again later.',
    unwritable: 'users',
    make: () => admin.send(deleteUser, { ...named(person), body: REASON }),
  },
  {
    text: 'There was an error while changing the password. Try again later',
    unwritable: 'users',
    make: () => admin.send(changeUserPassword, { ...named(person), body: { password: NEW_PASSWORD } }),
  },
  {
    text: 'Error while adding the company. Try again later.',
    unwritable: 'companies',
    make: () => admin.send(createCompany, { body: { name: 'Bakery' } }),
  },
  {
    text: 'Error while editing the company. Try again later.',
    unwritable: 'companies',
    make: () => admin.send(editCompany, { params: { id: companyId }, body: { isManaged: false } }),
  },
  {
    text: 'Error while deleting the company. Try again later.',
    unwritable: 'companies',
    make: () => admin.send(deleteCompany, { params: { id: companyId }, body: REASON }),
  },
  {
    text: 'Error while getting the company. Try again later.',
    unreadable: 'jobs',
    make: () => admin.send(getCompany, { params: { id: companyId } }),
  },
  {
    text: 'Error while getting the users to notify. Try again later.',
    unreadable: 'company_links',
    make: () => admin.send(listUsersToNotify, { params: { veeamId: companyId } }),
  },
];

/** What the browser alone says, and the test in which it does. */
const IN_THE_BROWSER = [
  ['Link copied to clipboard', 'shell/banners.test.tsx'],
  ['Your session has expired. Please log in again to continue.', 'program/router.test.tsx'],
] as const;

const run = (text: string) => execute(portal.database, sql.raw(text));
const repairs: string[] = [];
afterEach(async () => {
  for (const repair of repairs.splice(0)) await run(repair);
});

async function breakTable({ unwritable, unreadable }: Broken): Promise<void> {
  if (unreadable !== undefined) {
    await run(`alter table ${unreadable} rename to ${unreadable}_away`);
    repairs.push(`alter table ${unreadable}_away rename to ${unreadable}`);
  }
  if (unwritable === undefined) return;
  await run(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'The disk is full.'; end $$`,
  );
  await run(`create trigger refused before insert or update on ${unwritable} execute function refuse()`);
  repairs.push(`drop trigger refused on ${unwritable}`, 'drop function refuse()');
}

describe('a text of the specification', () => {
  it.each(REFUSED)('$text: is why the call is refused', async ({ text, status, make }) => {
    expect(await refusal(make())).toMatchObject({ status, message: text });
  });

  it.each(FAILED)('$text: is what a failure of the server is called', async (broken) => {
    await breakTable(broken);
    expect(await refusal(broken.make())).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', message: broken.text });
  });

  it.each(IN_THE_BROWSER)('%s: is looked for on the page in %s', (text, test) => {
    const path = join(import.meta.dirname, '../../../web/src', test);
    expect(existsSync(path) && readFileSync(path, 'utf8')).toContain(`await page.findByText('${text}')`);
  });
});
