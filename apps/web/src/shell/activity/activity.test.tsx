import { listM365Jobs, stopM365Job } from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { cancelDownload, listDownloads } from '@keepwatch/contract/restore/downloads';
import {
  cancelRestoreOperation,
  listRestoreOperations,
  readRestoreOperation,
} from '@keepwatch/contract/restore/sessions';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildJob, buildSession } from '../../microsoft365/testing/builders.ts';
import { buildDownload, buildOperation } from '../../restore/testing/builders.ts';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const statistics = { ...buildSession(1).statistics, processingRateBytesPS: 12_000_000 };
const running = buildSession(1, { status: 'Running', endTime: null, progress: 42, proxyName: 'worker-1', statistics });
const job = buildJob(30, { name: 'Nightly', lastSession: running });
const restore = buildOperation(40, { name: 'Quarterly figures', state: 'Running', endedAt: null, done: 3, total: 10 });
const done = buildOperation(41, { name: 'Offers', state: 'Warning', createdAt: '2026-03-15T11:00:00.000Z' });
const download = buildDownload(50, { fileName: 'Ada.pst', status: 'running', bytes: 1_024, items: 3, totalItems: 12 });

function answersWith(lists = { jobs: [job], operations: [done, restore], downloads: [download] }) {
  return createAnswers()
    .on(listOrganizations, { success: true, count: 0, data: [] })
    .on(listM365Jobs, { success: true, count: lists.jobs.length, data: lists.jobs })
    .on(listRestoreOperations, { success: true, count: lists.operations.length, data: lists.operations })
    .on(listDownloads, { success: true, count: lists.downloads.length, results: lists.downloads })
    .on(readRestoreOperation, { success: true, data: restore })
    .on(stopM365Job, { success: true })
    .on(cancelRestoreOperation, { success: true, data: { ...restore, isCancelling: true } })
    .on(cancelDownload, { success: true, download: { ...download, status: 'cancelled' } });
}

async function openActivity(answers = answersWith(), role: 'o365_admin' | 'restore-operator' = 'o365_admin') {
  const opened = openPortal({ path: '/o365/organizations', user: buildUser({ roles: [role] }), answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Activity' }));
  return { ...opened, answers, activity: within(await opened.page.findByRole('dialog', { name: 'Activity' })) };
}

test('shows backups, restores and downloads with how far they are, what runs first', async () => {
  const { activity } = await openActivity();
  await activity.findByText('Nightly');
  const entries = activity.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(entries).toHaveLength(4);
  expect(entries.at(-1)).toMatch(/Offers.*Warning/);
  activity.getByText(/^42% · 11\.4 MB\/s/);
  activity.getByText(/^3 of 10/);
  activity.getByText('3 of 12 · 1 KB');
});

test('ends what runs, each in its own way', async () => {
  const { activity, person, answers } = await openActivity();
  await person.click(await activity.findByRole('button', { name: 'Stop Nightly' }));
  await person.click(activity.getByRole('button', { name: 'Cancel Quarterly figures' }));
  await person.click(activity.getByRole('button', { name: 'Cancel Ada.pst' }));
  expect(answers.asked(stopM365Job)[0]).toMatchObject({ params: { jobId: job.id } });
  expect(answers.asked(cancelRestoreOperation)[0]).toMatchObject({ params: { operationId: restore.id } });
  expect(answers.asked(cancelDownload)[0]).toMatchObject({ params: { id: download.id } });
  expect(activity.queryByRole('button', { name: /Offers/ })).toBeNull();
});

test('leads to what it names, and closes', async () => {
  const { activity, page, person, address } = await openActivity();
  await person.click(await activity.findByRole('link', { name: 'Quarterly figures' }));
  expect(address()).toContain(`view=restores`);
  expect(page.queryByRole('dialog', { name: 'Activity' })).toBeNull();
});

test('says that nothing is under way, and asks restore operators for nothing that they may not see', async () => {
  const none = answersWith({ jobs: [], operations: [], downloads: [] });
  const { activity, answers } = await openActivity(none, 'restore-operator');
  await activity.findByText('Nothing is under way.');
  expect(answers.asked(listM365Jobs)).toEqual([]);
});
