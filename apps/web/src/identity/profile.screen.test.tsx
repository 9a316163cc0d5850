import { listOwnLogs, type UserLog } from '@keepwatch/contract/audit/user-logs';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@keepwatch/contract/identity/api-keys';
import {
  listOwnSessions,
  type OwnSession,
  revokeOtherSessions,
  revokeOwnSession,
} from '@keepwatch/contract/identity/own-sessions';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const user = buildUser({ roles: ['admin'] });
const at = '2026-03-02T08:00:00.000Z';
const own: OwnSession = {
  _id: buildId(1),
  device: 'Firefox on Windows',
  address: '10.1.2.3',
  createdAt: at,
  lastAt: at,
  expiresAt: '2026-03-16T08:00:00.000Z',
  isThis: true,
  impersonator: null,
};
const sessions = [
  own,
  { ...own, _id: buildId(2), isThis: false, device: 'Safari on iOS' },
  { ...own, _id: buildId(3), isThis: false, device: null, impersonator: 'boss' },
];
const key: ApiKey = {
  _id: buildId(4),
  name: 'Reports',
  abilities: ['common.companies', 'monitoring.report-settings'],
  createdAt: at,
  expiresAt: '2026-12-01T08:00:00.000Z',
  lastAt: null,
  lastAddress: null,
};
const log: UserLog = {
  _id: buildId(5),
  at,
  userId: user.id,
  username: user.username,
  asUserId: null,
  asUsername: null,
  apiKey: null,
  action: 'company.create',
  actionText: 'Company added',
  targetKind: 'company',
  targetId: buildId(6),
  targetName: 'Harbour',
  address: '10.1.2.3',
  before: null,
  after: null,
};

function open() {
  const logs = [
    log,
    { ...log, _id: buildId(7), username: 'boss', asUserId: user.id, asUsername: user.username },
    { ...log, _id: buildId(8), apiKey: 'Reports' },
  ];
  const answers = createAnswers()
    .on(listOwnSessions, { success: true, data: sessions })
    .on(revokeOwnSession, { success: true })
    .on(revokeOtherSessions, { success: true, data: { ended: 2 } })
    .on(listApiKeys, { success: true, data: [key, { ...key, _id: buildId(9), name: 'Old', expiresAt: at }] })
    .on(createApiKey, { success: true, data: key, token: 'kwk_secret' })
    .on(revokeApiKey, { success: true })
    .on(listOwnLogs, { success: true, count: logs.length, data: logs });
  return openPortal({ path: '/monitoring/profile', user, answers });
}

const cellsOf = async ({ page }: ReturnType<typeof open>, label: string, place: number) => {
  const grid = within(await page.findByRole('grid', { name: label }));
  await grid.findAllByRole('gridcell');
  return grid
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('gridcell')[place]?.textContent);
};

test('shows where the user is signed in, which session is this one, and who acts as the user', async () => {
  const opened = open();
  expect(await cellsOf(opened, 'Sessions', 0)).toEqual([
    'Firefox on Windows',
    'Safari on iOS',
    'boss, signed in as you (Unknown device)',
  ]);
  expect(await cellsOf(opened, 'Sessions', 4)).toEqual(['This one', 'End', 'End']);
});

test('ends one session, and all others', async () => {
  const { page, person, answers } = open();
  await person.click(await page.findByRole('button', { name: 'End Safari on iOS' }));
  await page.findByText('The session has ended.');
  expect(answers.asked(revokeOwnSession)[0]?.params).toEqual({ id: user.id, sessionId: buildId(2) });
  await person.click(page.getByRole('button', { name: 'End all others' }));
  await page.findByText('2 other sessions ended.');
});

test('creates a key for some abilities of the user, and shows its token once', async () => {
  const { page, person, answers } = open();
  await person.click(await page.findByRole('button', { name: 'Create a key' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Create an API key' }));
  await person.type(dialog.getByLabelText(/^Name/), 'Reports');
  expect(dialog.queryByRole('checkbox', { name: 'Microsoft 365: jobs' })).toBeNull();
  await person.click(dialog.getByRole('checkbox', { name: 'Common: companies' }));
  await person.type(dialog.getByLabelText(/^Current password/), 'my password');
  await person.click(dialog.getByRole('button', { name: 'Create key' }));
  const created = within(await page.findByRole('dialog', { name: 'API key Reports' }));
  created.getByText('kwk_secret');
  created.getByText('Authorization: Bearer kwk_secret');
  expect(answers.asked(createApiKey)[0]?.body).toEqual({
    password: 'my password',
    name: 'Reports',
    abilities: ['common.companies'],
    days: 90,
  });
});

test('lists keys with what they may and until when, and revokes one after a yes', async () => {
  const opened = open();
  const { page, person, answers } = opened;
  expect(await cellsOf(opened, 'API keys', 1)).toContain('Common: companies, Monitoring: report settings');
  expect((await cellsOf(opened, 'API keys', 3)).at(-1)).toBe('Expired');
  await person.click(page.getByRole('button', { name: 'Revoke Reports' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Revoke Reports?' }));
  await person.click(dialog.getByRole('button', { name: 'Revoke key' }));
  await page.findByText('The API key Reports is revoked.');
  expect(answers.asked(revokeApiKey)[0]?.params).toEqual({ id: user.id, keyId: key._id });
});

test('shows what was done with the account, and by whom', async () => {
  expect(await cellsOf(open(), 'Activity', 2)).toEqual(['You', 'boss, as you', 'API key Reports']);
});

test('lets an administrator who acts as the user change none of it', async () => {
  const opened = open();
  const { page, portal } = opened;
  await page.findByRole('button', { name: 'Create a key' });
  const other = buildUser({ id: buildId(20), roles: ['admin'], name: 'Other' });
  portal.session.impersonate({ token: 'token of another', user: other }, '/monitoring/profile');
  opened.router.history.push('/monitoring/profile');
  await page.findByRole('region', { name: 'Signed in as another user' });
  await page.findByRole('grid', { name: 'API keys' });
  expect(page.queryByRole('button', { name: /^(Create a key|End|Revoke)/ })).toBeNull();
});
