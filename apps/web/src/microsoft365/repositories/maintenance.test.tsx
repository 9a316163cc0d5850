import {
  editMaintenancePlan,
  type MaintenancePlan,
  type MaintenanceRun,
  readMaintenance,
  startMaintenance,
  stopMaintenance,
} from '@keepwatch/contract/microsoft365/maintenance';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { listRepositoriesOf, type Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formatDateTime } from '../../kit/format/dates.ts';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildRepository } from '../testing/builders.ts';

const weekly = { dailyTime: '05:00', timeZone: 'UTC', depth: 'quick' } as const;
const plans: MaintenancePlan[] = [
  { kind: 'verify', isEnabled: true, dailyType: 'Sunday', ...weekly, nextRun: null },
  { kind: 'prune', isEnabled: false, dailyType: 'Saturday', ...weekly, nextRun: null },
];
const failed: MaintenanceRun = {
  id: buildId(31),
  kind: 'verify',
  depth: 'quick',
  isDryRun: false,
  username: 'ada',
  startTime: '2026-03-01T05:00:00.000Z',
  endTime: '2026-03-01T05:10:00.000Z',
  status: 'Failed',
  details: 'lost',
  findings: [{ level: 'error', text: "Ada: 'Offer' cannot be brought back whole." }],
};

async function open(retentionPolicy: 5 | null = 5, next: Partial<Microsoft365Repository> = {}) {
  const repository = buildRepository(20, { name: 'Archive', retentionPolicy, ...next });
  const organization = buildOrganizationName();
  const answers = createAnswers()
    .on(listOrganizationNames, { success: true, data: [organization] })
    .on(listRepositoriesOf, { success: true, data: [repository] })
    .on(readMaintenance, { success: true, data: { plans, runs: [failed] } })
    .on(startMaintenance, { success: true, data: { runId: buildId(32) } })
    .on(editMaintenancePlan, ({ body }) => ({
      success: true as const,
      data: { kind: 'prune' as const, ...body, nextRun: null },
    }));
  const user = buildUser({ roles: ['o365_admin'] });
  const opened = openPortal({ path: `/o365/repositories?open=${repository.id}`, user, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Verify and prune' }));
  return { ...opened, answers, dialog: within(await opened.page.findByRole('dialog')) };
}

test('shows when a repository is verified and pruned, and what that found', async () => {
  const { dialog } = await open();
  await dialog.findByText(/Sundays at 05:00 \(UTC\)/);
  dialog.getByText(/^Off/);
  dialog.getByText(/Verify by ada/);
  dialog.getByText(/'Offer' cannot be brought back whole/);
});

test('shows on the repository itself when the next ones are, and where none is planned', async () => {
  const { page } = await open(5, { nextVerify: '2026-03-22T05:00:00.000Z', nextPrune: null });
  const panel = within(page.getByRole('complementary', { name: 'Archive', hidden: true }));
  const factOf = (term: string) => panel.getByText(term).nextElementSibling?.textContent;
  expect([factOf('Next verify'), factOf('Next prune')]).toEqual([
    formatDateTime('2026-03-22T05:00:00.000Z'),
    'Not planned',
  ]);
});

test('stops what runs', async () => {
  const { dialog, person, answers } = await open();
  expect(dialog.queryByRole('button', { name: 'Stop' })).toBeNull();
  const running: MaintenanceRun = { ...failed, id: buildId(33), endTime: null, status: 'Running', findings: [] };
  answers.on(readMaintenance, { success: true, data: { plans, runs: [running, failed] } });
  answers.on(stopMaintenance, { success: true, data: { ...running, status: 'Warning' } });
  await person.click(await dialog.findByRole('button', { name: 'Verify now' }));
  await person.click(await dialog.findByRole('button', { name: 'Stop' }));
  await expect.poll(() => answers.asked(stopMaintenance)).toHaveLength(1);
});

test.each([
  ['Verify now', 'verify', false],
  ['Show what a prune removes', 'prune', true],
  ['Prune now', 'prune', false],
])('%s starts at once', async (name, kind, dryRun) => {
  const { dialog, person, answers } = await open();
  await person.click(await dialog.findByRole('button', { name }));
  await expect.poll(() => answers.asked(startMaintenance)).toMatchObject([{ params: { kind }, body: { dryRun } }]);
});

test('does not prune what is retained forever', async () => {
  const { dialog } = await open(null);
  expect(await dialog.findByRole('button', { name: 'Prune now' })).toHaveProperty('disabled', true);
});

test('changes the schedule of a prune', async () => {
  const { dialog, person, page, answers } = await open();
  await person.click(await dialog.findByRole('button', { name: 'Change prune' }));
  const form = within(await page.findByRole('dialog', { name: 'Prune' }));
  await person.click(await form.findByRole('checkbox', { name: /By schedule/ }));
  await person.click(form.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => answers.asked(editMaintenancePlan))
    .toMatchObject([{ params: { kind: 'prune' }, body: { isEnabled: true, dailyType: 'Saturday' } }]);
});
