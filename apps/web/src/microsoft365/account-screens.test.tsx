import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { listUsers } from '@keepwatch/contract/directory/users';
import { getUserSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const listed = {
  _id: buildId(5),
  username: 'grace',
  name: 'Grace Hopper',
  email: 'grace@acme.example',
  acl: [{ role: 'o365_admin' as const }],
  state: 'active' as const,
  companies: null,
  authType: 'db' as const,
  signsInElsewhere: false,
  companyName: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const answers = () =>
  createAnswers()
    .on(listUsers, { success: true, count: 1, data: [listed] })
    .on(getUserSecondFactors, {
      success: true,
      data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
    })
    .on(listUserLogs, { success: true, count: 0, data: [] });

test('the users are a screen of this application, too, and lead to its users logs', async () => {
  const user = buildUser({ roles: ['o365_admin', 'admin'] });
  const { page } = openPortal({ path: `/o365/users?open=${listed._id}`, user, answers: answers() });
  const panel = within(await page.findByRole('complementary', { name: 'Grace Hopper' }));
  const activity = panel.getByRole('link', { name: 'What this user did' });
  expect(activity.getAttribute('href')).toBe(`/o365/users-logs?user=${listed._id}`);
});

test('the users logs open for those who may read them', async () => {
  const user = buildUser({ roles: ['o365_admin', 'super-admin'] });
  const { page } = openPortal({ path: '/o365/users-logs', user, answers: answers() });
  await page.findByText('No entries on these days');
});

test('the users logs do not open for those who may not', async () => {
  const user = buildUser({ roles: ['o365_admin'] });
  const { page, address } = openPortal({ path: '/o365/users-logs', user, answers: answers() });
  await page.findByRole('heading', { level: 2, name: "You don't have access to Users logs" });
  expect(address()).toContain('/o365/forbidden');
});
