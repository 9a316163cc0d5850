import { exportLicensedUsers, type LicensedUser, listLicensedUsers } from '@keepwatch/contract/microsoft365/licensing';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildLicensedUser } from '../testing/builders.ts';

const path = '/o365/license-consumption';
const user = buildUser({ roles: ['o365_admin'] });
const ada = buildLicensedUser(50, { name: 'Ada Lovelace' });
const grace = buildLicensedUser(51, { name: 'Grace Hopper', driveBytes: null, bytes: 1_024 });

function answersWith(rows: LicensedUser[]) {
  return createAnswers()
    .on(listOrganizationNames, {
      success: true,
      data: [buildOrganizationName()],
    })
    .on(listLicensedUsers, ({ query: { ids, search = '', parts } }) => {
      const data = rows.filter(
        ({ _id, name, driveBytes }) =>
          (ids === undefined || ids.includes(_id)) &&
          name.includes(search) &&
          (parts === undefined || parts.includes('mailbox') || driveBytes !== null),
      );
      return { success: true as const, count: data.length, data };
    });
}

test('lists who is licensed, with what is stored of them', async () => {
  const { page } = openPortal({ path, user, answers: answersWith([ada, grace]) });
  const grid = within(await page.findByRole('grid', { name: 'Licensed users' }));
  await grid.findByText('Ada Lovelace');
  grid.getByText('4 GB');
  grid.getByText('1 KB');
  page.getByText('2 users');
});

test('says in its panel why a user is licensed, and what is not backed up', async () => {
  const answers = answersWith([ada, grace]);
  const { page } = openPortal({ path: `${path}?open=${grace._id}&date=Yesterday`, user, answers });
  const panel = within(await page.findByRole('complementary', { name: 'Grace Hopper' }));
  panel.getByText(/Last backed up on 03\/14\/26: the licence is used until 04\/13\/26/);
  expect(panel.getAllByText('Not backed up')).toHaveLength(3);
  const link = panel.getByRole('link', { name: 'Organization 10' });
  expect(link.getAttribute('href')).toBe(`/o365/organizations?open=${buildId(10)}`);
  // The same days as the list: the user may not be licensed today.
  const one = answers.asked(listLicensedUsers).find(({ query }) => query.ids !== undefined);
  expect(one?.query).toMatchObject({ ids: [grace._id], from: '2026-03-14T00:00:00.000Z' });
});

test('shows as chips what a figure narrowed it to, and asks for all again without them', async () => {
  const answers = answersWith([ada]);
  const address = `${path}?date=Today&change=new&stale=true&part=drive&organization=${buildId(10)}`;
  const { page, person } = openPortal({ path: address, user, answers });
  await page.findByText('Ada Lovelace');
  expect(answers.asked(listLicensedUsers)[0]?.query).toMatchObject({
    from: '2026-03-15T00:00:00.000Z',
    organizationId: buildId(10),
    parts: ['drive'],
    change: 'new',
    stale: true,
  });
  await person.click(page.getByRole('button', { name: 'Remove New' }));
  await person.click(page.getByRole('button', { name: 'Remove No backup for 7 days' }));
  await page.findByText('Ada Lovelace');
  const last = answers.asked(listLicensedUsers).at(-1)?.query;
  expect([last?.change, last?.stale]).toEqual([undefined, undefined]);
});

test('saves the users of the list as CSV', async () => {
  const answers = answersWith([ada, grace]).on(exportLicensedUsers, 'Name\r\nAda\r\nGrace\r\n');
  const { page, person } = openPortal({ path: `${path}?part=mailbox`, user, answers });
  await page.findByText('Ada Lovelace');
  await person.click(page.getByRole('button', { name: /Export CSV/ }));
  await page.findByText(/2 users saved as LicensedUsers-/);
  expect(answers.asked(exportLicensedUsers)[0]?.query).toMatchObject({ parts: ['mailbox'] });
});

test('says when a user is licensed where none is, and leads to the jobs', async () => {
  const { page } = openPortal({ path, user, answers: answersWith([]) });
  await page.findByText('No licensed users on these days');
  expect(page.getByRole('link', { name: 'Look at the jobs' }).getAttribute('href')).toBe('/o365/jobs');
});
