import {
  listM365Jobs,
  type Microsoft365Job,
  readLatestSession,
  readM365Job,
} from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizationNames, listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { listProofs, type Microsoft365Proof, startProof } from '@keepwatch/contract/microsoft365/proofs';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formatDateTime } from '../../kit/format/dates.ts';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildJob, buildOrganization } from '../testing/builders.ts';
import { proofOfJobsText, proofText } from './proof-words.ts';

const user = buildUser({ roles: ['o365_admin'] });
const now = new Date('2026-03-15T12:00:00.000Z');
const summary = { endTime: '2026-03-12T11:00:00.000Z', status: 'Success', items: 20, bytes: 41 * 1_024 ** 2 } as const;
const item = { objectKind: 'mailbox', name: null, bytes: 2_048, fault: null, reason: null } as const;
const proof: Microsoft365Proof = {
  id: buildId(61),
  username: 'ada',
  startTime: '2026-03-12T10:59:00.000Z',
  endTime: '2026-03-12T11:00:00.000Z',
  status: 'Failed',
  details: '1 of 4 items cannot be restored as they were.',
  restorePointTime: '2026-03-12T02:30:00.000Z',
  items: 3,
  bytes: 6_144,
  kinds: [{ kind: 'message', items: 3, bytes: 6_144 }],
  sample: [
    { ...item, objectName: 'Ada', kind: 'message', comparison: 'same' },
    { ...item, objectName: 'Bob', kind: 'message', comparison: 'changed' },
    { ...item, objectName: 'Cyd', kind: 'mail-folder', comparison: 'not-compared', reason: 'Only files are compared.' },
    { ...item, objectName: 'Dan', kind: 'file', name: 'Offer', fault: 'The pack is gone.', comparison: 'not-compared' },
  ],
};

async function open(fields: Partial<Microsoft365Job> = {}, proofs = [proof]) {
  const job = buildJob(30, { name: 'Nightly', restorePoints: 3, ...fields });
  const detail = { ...job, selectedItems: { results: [] }, excludedItems: { results: [] } };
  const organization = buildOrganizationName();
  const answers = createAnswers()
    .on(listM365Jobs, { success: true, count: 1, data: [job] })
    .on(listOrganizationNames, { success: true, data: [organization] })
    .on(readM365Job, { success: true, data: detail })
    .on(readLatestSession, { success: true, data: null, history: [] })
    .on(listProofs, { success: true, count: proofs.length, data: proofs })
    .on(startProof, { success: true, data: { proofId: buildId(62) } });
  const opened = openPortal({ path: `/o365/jobs?open=${job.id}`, user, answers });
  const panel = within(await opened.page.findByRole('complementary', { name: 'Nightly' }));
  return { ...opened, answers, panel };
}

const cellsOf = (row: HTMLElement | undefined) => [...(row?.children ?? [])].map(({ textContent }) => textContent);

test('says when it was proved, how much, and how that ended', () => {
  expect(proofText(null, now)).toBe('Never proved');
  expect(proofText(summary, now)).toBe('Proved restorable 3 days ago: 20 items, 41 MB');
  expect(proofText({ ...summary, status: 'Failed' }, now)).toBe('Proof failed 3 days ago: 20 items, 41 MB restored');
  expect(proofOfJobsText({ ...summary, jobs: 1 }, 2, now)).toMatch(/41 MB \(1 of 2 jobs\)$/);
  expect(proofOfJobsText({ ...summary, jobs: 2 }, 2, now)).toMatch(/41 MB$/);
});

test('shows on the panel of a job when it was last proved', async () => {
  const { panel } = await open({ lastProof: summary });
  const facts = within(panel.getByText('Last proof').closest('section') as HTMLElement);
  expect(facts.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'Success',
    formatDateTime(summary.endTime),
    '20',
    '41 MB',
  ]);
});

test('lists what each proof found, with each item and how it compares', async () => {
  const { page, panel, person } = await open();
  panel.getByText('Never proved');
  await person.click(panel.getByRole('button', { name: 'Proofs' }));
  const dialog = within(await page.findByRole('dialog'));
  await dialog.findByText(/1 of 4 items cannot be restored/);
  const proofs = within(dialog.getAllByRole('table')[0] as HTMLElement);
  expect(cellsOf(proofs.getAllByRole('row')[1])).toEqual([
    formatDateTime(proof.startTime),
    'Failed',
    '3',
    '6 KB',
    'ada',
  ]);
  const rows = within(dialog.getByRole('table', { name: /^Items of/ })).getAllByRole('row');
  expect(rows.slice(1).map(cellsOf)).toEqual([
    ['Message', 'Ada', '2 KB', 'Restored, the same at Microsoft'],
    ['Message', 'Bob', '2 KB', 'Restored, changed at Microsoft since'],
    ['Mail folder', 'Cyd', '2 KB', 'Restored'],
    ['File “Offer”', 'Dan', '2 KB', 'Cannot be restored: The pack is gone.'],
  ]);
  dialog.getByText('Not compared: Only files are compared.');
  await person.click(dialog.getByRole('button', { expanded: true }));
  expect(dialog.queryByRole('table', { name: /^Items of/ })).toBeNull();
});

test('proves at once', async () => {
  const { page, panel, person, answers } = await open({}, []);
  await person.click(panel.getByRole('button', { name: 'Proofs' }));
  await person.click(await page.findByRole('button', { name: 'Prove now' }));
  await expect.poll(() => answers.asked(startProof)).toMatchObject([{ params: { jobId: buildId(30) } }]);
});

test('offers no proof of a job without a restore point', async () => {
  const { page, panel, person } = await open({ restorePoints: 0 }, []);
  await person.click(panel.getByRole('button', { name: 'Proofs' }));
  expect(await page.findByRole('button', { name: 'Prove now' })).toHaveProperty('disabled', true);
});

test('shows in the list of organizations when their jobs were last proved', async () => {
  const rows = [
    buildOrganization(10, { jobCount: 2, lastProof: { ...summary, jobs: 1 } }),
    buildOrganization(11, { jobCount: 1 }),
  ];
  const answers = createAnswers().on(listOrganizations, { success: true, count: 2, data: rows });
  const { page } = openPortal({ path: '/o365/organizations', user, answers });
  await page.findByText(/^Proved restorable .*: 20 items, 41 MB \(1 of 2 jobs\)$/);
  page.getByText('Never proved');
});
