import {
  addConsoleAccount,
  type ConsoleAccount,
  listConsoleAccounts,
  removeConsoleAccount,
} from '@keepwatch/contract/directory/console-accounts';
import { type ListedUser, listUsers } from '@keepwatch/contract/directory/users';
import { getUserSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const ada: ListedUser = {
  _id: buildId(7),
  username: 'ada',
  name: 'Ada King',
  email: 'ada@example.test',
  acl: [{ role: 'operator' }],
  state: 'active',
  authType: 'db',
  signsInElsewhere: false,
  companies: null,
  companyName: null,
  createdAt: '2026-03-02T08:00:00.000Z',
};
const account: ConsoleAccount = {
  accountId: 'u-1',
  provider: 'vac',
  name: 'harbour.owner',
  connectionName: 'North',
};

/** The dialog, over a server that gives and takes accounts. */
async function open() {
  let accounts: ConsoleAccount[] = [];
  const answers = createAnswers()
    .on(listUsers, { success: true, count: 1, data: [ada] })
    .on(getUserSecondFactors, {
      success: true,
      data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
    })
    .on(listConsoleAccounts, () => ({ success: true as const, data: accounts }))
    .on(addConsoleAccount, () => {
      accounts = [account];
      return { success: true as const, data: account };
    })
    .on(removeConsoleAccount, () => {
      accounts = [];
      return { success: true as const };
    });
  const path = `/monitoring/users?open=${ada._id}`;
  const opened = openPortal({ path, user: buildUser({ roles: ['admin'] }), answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Console accounts' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Console accounts of Ada King' }));
  return { ...opened, answers, dialog };
}

test('gives a user an account of a console, and takes it again', async () => {
  const { page, person, dialog, answers } = await open();
  await dialog.findByText('None yet.');
  await person.type(dialog.getByLabelText('Account'), ' harbour.owner{Enter}');
  await page.findByText('Ada King has the account harbour.owner of North.');
  expect(answers.asked(addConsoleAccount)).toMatchObject([
    { params: { id: ada._id, accountId: 'harbour.owner' }, body: { provider: 'vac' } },
  ]);
  await person.click(await dialog.findByRole('button', { name: 'Remove harbour.owner' }));
  await dialog.findByText('None yet.');
  expect(answers.asked(removeConsoleAccount)).toMatchObject([{ params: { id: ada._id, accountId: 'u-1' } }]);
});

test('says why an account is refused, with what was typed still there', async () => {
  const { person, dialog, answers } = await open();
  const message = 'The account was not found. It may have been removed.';
  answers.refuse(addConsoleAccount, 404, { code: 'NOT_FOUND', message });
  await person.selectOptions(dialog.getByLabelText('Console'), 'Zerto');
  await person.type(dialog.getByLabelText('Account'), 'unknown{Enter}');
  await dialog.findByText(message);
  expect(dialog.getByLabelText('Account')).toHaveProperty('value', 'unknown');
  expect(answers.asked(addConsoleAccount)).toMatchObject([
    { params: { accountId: 'unknown' }, body: { provider: 'zerto' } },
  ]);
});
