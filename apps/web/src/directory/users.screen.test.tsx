import { exportUsers, type ListedUser, listUsers } from '@keepwatch/contract/directory/users';
import { getUserSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/monitoring/users';
const admin = buildUser({ roles: ['admin'] });

function buildListed(number: number, fields: Partial<ListedUser> = {}): ListedUser {
  return {
    _id: buildId(number),
    username: `user${number}`,
    name: `User ${number}`,
    email: `user${number}@example.test`,
    acl: [{ role: 'operator' }],
    state: 'active',
    companies: null,
    authType: 'db',
    signsInElsewhere: false,
    companyName: null,
    createdAt: '2026-03-02T08:00:00.000Z',
    ...fields,
  };
}

/** A server with these users, which it finds by name. */
function open(users: readonly ListedUser[], address = path) {
  const answers = createAnswers().on(listUsers, ({ query: { search = '' } }) => {
    const data = users.filter(({ name }) => name.includes(search));
    return { success: true as const, count: data.length, data };
  });
  return openPortal({ path: address, user: admin, answers });
}

test('lists users with their roles, and what they are limited to', async () => {
  const companies = [1, 2, 3].map((number) => ({ _id: buildId(number), name: `Company ${number}` }));
  const { page } = open([
    buildListed(1, { acl: [{ role: 'admin' }, { role: 'o365_admin' }] }),
    buildListed(2, { companies, companyName: 'Company 1', state: 'disabled' }),
    buildListed(3, { companies: companies.slice(0, 1), companyName: 'Company 1' }),
    buildListed(4, { companies: [], acl: [] }),
  ]);
  await page.findByText('User 1');
  page.getByText('4 users');
  const rows = within(page.getByRole('grid', { name: 'Users' }))
    .getAllByRole('row')
    .slice(1);
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole('gridcell')
      .map((cell) => cell.textContent),
  );
  expect(texts.map((row) => row.filter((_, place) => [0, 3, 4, 5].includes(place)))).toEqual([
    ['User 1', 'Admin, Microsoft 365 admin', 'All', 'Active'],
    ['User 2', 'Operator', 'Company 1 and 2 more', 'Disabled'],
    ['User 3', 'Operator', 'Company 1', 'Active'],
    ['User 4', '–', 'None', 'Active'],
  ]);
});

test('narrows and sorts on the server, and shows all again', async () => {
  const { page, person, answers, address } = open([buildListed(1)], `${path}?state=active`);
  const filters = within(await page.findByRole('region', { name: 'Filters' }));
  await person.click(filters.getByRole('button', { name: 'Role' }));
  await person.click(await page.findByRole('option', { name: 'Reseller' }));
  await person.click(await page.findByRole('button', { name: 'Companies' }));
  await waitFor(() =>
    expect(answers.asked(listUsers).at(-1)?.query).toMatchObject({
      roles: ['sub-sp'],
      states: ['active'],
      sort: 'companyName',
    }),
  );
  await person.type(page.getByRole('searchbox', { name: 'Search users' }), 'No such user');
  await page.findByText('No matching user');
  await person.click(page.getByRole('button', { name: 'Show all users' }));
  await page.findByText('User 1');
  expect(address()).toBe(`${path}?sort=companyName`);
});

test('is closed to those who may not see users', async () => {
  const { address } = openPortal({ path, user: buildUser({ roles: ['operator'] }), answers: createAnswers() });
  await waitFor(() => expect(address()).toContain('/monitoring/forbidden'));
});

test('opens a user beside the list, with the way to what the user did', async () => {
  const companies = [{ _id: buildId(7), name: 'Harbour Freight' }];
  const answers = createAnswers().on(listUsers, ({ query: { ids } }) => ({
    success: true as const,
    count: 1,
    data: [buildListed(1, ids === undefined ? {} : { companies, companyName: 'Harbour Freight' })],
  }));
  answers.on(getUserSecondFactors, {
    success: true,
    data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
  });
  const { page, person, address } = openPortal({ path, user: admin, answers });
  await person.click(await page.findByText('User 1'));
  const panel = within(await page.findByRole('complementary', { name: 'User 1' }));
  expect(panel.getByRole('link', { name: 'Harbour Freight' }).getAttribute('href')).toContain(buildId(7));
  expect(panel.getByRole('link', { name: 'What this user did' }).getAttribute('href')).toContain(
    `/monitoring/users-logs?user=${buildId(1)}`,
  );
  await person.keyboard('{Escape}');
  await waitFor(() => expect(address()).toBe(path));
});

test('exports the users of the list', async () => {
  const answers = createAnswers()
    .on(listUsers, { success: true, count: 1, data: [buildListed(1)] })
    .on(exportUsers, 'Name\r\nUser 1\r\n');
  const { page, person } = openPortal({ path: `${path}?role=sub-sp`, user: admin, answers });
  await person.click(await page.findByRole('button', { name: 'Export CSV' }));
  await page.findByText(/^1 user saved as Users-/);
  expect(answers.asked(exportUsers)[0]?.query).toEqual({ roles: ['sub-sp'], sort: 'name' });
});

test('says that the user of a link is not there', async () => {
  const { page } = open([], `${path}?open=${buildId(9)}`);
  const panel = within(await page.findByRole('complementary'));
  await panel.findByText('The user was not found. It may have been removed.');
});
