import {
  type DeletedCompany,
  listCompanies,
  listDeletedCompanies,
  restoreCompany,
} from '@keepwatch/contract/companies/companies';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildCompany, buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const deleted: DeletedCompany = {
  _id: buildId(3),
  name: 'Harbour Freight',
  deletedAt: '2026-03-02T08:00:00.000Z',
  deletedBy: 'Ada King',
  reason: 'The contract has ended.',
};

/** The dialog, over a server that restores. */
async function open() {
  let data = [deleted, { ...deleted, _id: buildId(4), name: 'Bakery', deletedBy: null, reason: null }];
  const answers = createAnswers()
    .on(listCompanies, { success: true, count: 1, data: [buildCompany(1)] })
    .on(listDeletedCompanies, ({ query: { search = '' } }) => {
      const found = data.filter(({ name }) => name.includes(search));
      return { success: true as const, count: found.length, data: found };
    })
    .on(restoreCompany, ({ params: { id } }) => {
      data = data.filter(({ _id }) => _id !== id);
      return { success: true as const };
    });
  const opened = openPortal({ path: '/monitoring/companies', user: buildUser({ roles: ['admin'] }), answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Deleted companies' }));
  return { ...opened, answers, dialog: within(await opened.page.findByRole('dialog', { name: 'Deleted companies' })) };
}

test('shows who deleted a company and why, and restores it', async () => {
  const { page, person, dialog } = await open();
  await dialog.findByText('The contract has ended.');
  dialog.getByText(/Ada King/);
  dialog.getByText(/not recorded by whom/);
  await person.click(dialog.getByRole('button', { name: 'Restore Harbour Freight' }));
  await page.findByText('The company Harbour Freight is back.');
  await waitFor(() => expect(dialog.queryByText('Harbour Freight')).toBeNull());
});

test('finds a deleted company by name, and says why one cannot be restored', async () => {
  const { page, person, dialog, answers } = await open();
  await person.type(dialog.getByRole('searchbox', { name: 'Search deleted companies' }), 'Bak');
  await waitFor(() => expect(dialog.queryByText('Harbour Freight')).toBeNull());
  const message = 'There is a company named "Bakery" already.';
  answers.refuse(restoreCompany, 409, { code: 'CONFLICT', message });
  await person.click(await dialog.findByRole('button', { name: 'Restore Bakery' }));
  await page.findByText(message);
});

test('is not offered to who sees only some companies', async () => {
  const user = buildUser({ roles: ['admin'], companyIds: [buildId(1)] });
  const answers = createAnswers().on(listCompanies, { success: true, count: 1, data: [buildCompany(1)] });
  const { page } = openPortal({ path: '/monitoring/companies', user, answers });
  await page.findByText(buildCompany(1).name);
  expect(page.queryByRole('button', { name: 'Deleted companies' })).toBeNull();
});
