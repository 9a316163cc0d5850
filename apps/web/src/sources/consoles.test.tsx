import {
  deleteSource,
  editSource,
  listSources,
  listUnmatchedRuns,
  startSync,
} from '@keepwatch/contract/sources/sources';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { answersWith, buildSource } from './testing/sources-answers.ts';

const path = '/monitoring/sources';
const user = buildUser({ roles: ['admin'] });
const done = { success: true } as const;

async function openConsoles(sources = [buildSource()]) {
  const answers = answersWith({ sources });
  const opened = openPortal({ path, user, answers });
  const consoles = within(await opened.page.findByRole('region', { name: 'Consoles' }));
  await consoles.findAllByRole('heading', { level: 3 });
  return { ...opened, answers, consoles };
}

test('says how the last reading of each console went', async () => {
  const { consoles } = await openConsoles([
    buildSource({ status: 'SUCCEEDED' }),
    buildSource({ _id: buildId(601), name: 'Lab', status: 'FAILED', lastSync: null, jobs: 0 }),
    buildSource({ _id: buildId(602), name: 'Old', isEnabled: false, status: 'FAILED' }),
  ]);
  const texts = consoles.getAllByRole('listitem').map((row) => row.textContent);
  expect(texts[0]).toContain('Syncedsynced 5 minutes ago1,493 jobs');
  expect(texts[1]).toContain('Sync failednot synced yet0 jobs');
  expect(texts[2]).toContain('Disabled');
  expect(texts[2]).not.toContain('Sync failed');
});

test('lists what could not be read, and why', async () => {
  const failed = [{ entity: 'job', externalId: '4711', reason: 'The console answered 500.', source: 'Main console' }];
  const { consoles } = await openConsoles([buildSource({ status: 'PARTIAL', failed })]);
  consoles.getByText('Synced in part');
  consoles.getByText('1 entity failed');
  expect(consoles.getByText('job').closest('li')?.textContent).toBe('job 4711: The console answered 500.');
});

test('does not fill the page with ten thousand failures', async () => {
  const one = { entity: 'job', externalId: null, reason: 'No.', source: 'Main console' };
  const failed = Array.from({ length: 10_000 }, () => one);
  const { consoles } = await openConsoles([buildSource({ failed })]);
  consoles.getByText('10,000 entities failed');
  expect(consoles.getAllByText('job')).toHaveLength(100);
  consoles.getByText('… and 9,900 more.');
});

test('reads one console now', async () => {
  const { page, consoles, person, answers } = await openConsoles();
  answers.on(startSync, done);
  await person.click(consoles.getByRole('button', { name: 'Sync now' }));
  await page.findByText('Main console is syncing.');
  expect(answers.asked(startSync)[0]?.body).toEqual({ sourceId: buildId(600) });
});

test('does not start a reading that runs already, nor of a disabled console', async () => {
  const { consoles } = await openConsoles([
    buildSource({ status: 'RUNNING' }),
    buildSource({ _id: buildId(601), isEnabled: false }),
  ]);
  for (const button of consoles.getAllByRole('button', { name: 'Sync now' })) {
    expect(button).toHaveProperty('disabled', true);
  }
});

test('shows the end of a running sync without a reload', async () => {
  const { consoles, answers } = await openConsoles([buildSource({ status: 'RUNNING' })]);
  consoles.getByText('Syncing');
  answers.on(listSources, { success: true, data: [buildSource()] });
  answers.emit('sync.changed');
  await consoles.findByText('Synced');
});

test('disables a console without touching its secrets', async () => {
  const { page, consoles, person, answers } = await openConsoles();
  answers.on(editSource, { success: true, data: buildSource({ isEnabled: false }) });
  await person.click(consoles.getByRole('button', { name: 'More for Main console' }));
  await person.click(page.getByRole('button', { name: 'Disable' }));
  await page.findByText('Main console no longer syncs.');
  expect(answers.asked(editSource)[0]).toMatchObject({
    params: { id: buildId(600) },
    body: { name: 'Main console', isEnabled: false, settings: { url: 'https://console.test:1280', username: '' } },
  });
});

test('disconnects a console only after a yes', async () => {
  const { page, consoles, person, answers } = await openConsoles();
  answers.on(deleteSource, done);
  const ask = async () => {
    await person.click(consoles.getByRole('button', { name: 'More for Main console' }));
    await person.click(page.getByRole('button', { name: 'Disconnect…' }));
    return within(await page.findByRole('dialog', { name: 'Disconnect Main console?' }));
  };
  await person.click((await ask()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(answers.asked(deleteSource)).toEqual([]);
  await person.click((await ask()).getByRole('button', { name: 'Disconnect' }));
  await page.findByText('Main console is disconnected.');
  expect(answers.asked(deleteSource)[0]?.params).toEqual({ id: buildId(600) });
});

test('opens the runs that fit no job', async () => {
  const { page, consoles, person, answers } = await openConsoles([buildSource({ unmatchedRuns: 340 })]);
  const run = {
    _id: buildId(700),
    source: 'Main console',
    jobName: 'Nightly',
    companyName: null,
    startedAt: '2026-03-14T22:00:00.000Z',
    result: 'Failed' as const,
    message: 'Two jobs have this name.',
  };
  answers.on(listUnmatchedRuns, { success: true, count: 340, data: [run] });
  await person.click(consoles.getByRole('button', { name: '340 unmatched runs' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Unmatched runs' }));
  await dialog.findByText('Nightly');
  dialog.getByText('Two jobs have this name.');
  dialog.getByText(/^These runs could not be assigned: no job of the company has the name\./);
});

test('says what the server says where the consoles cannot be read', async () => {
  const message = 'The sources could not be read, try again later.';
  const answers = answersWith({}).refuse(listSources, 422, { code: 'INTERNAL_ERROR', message });
  const { page, person } = openPortal({ path, user, answers });
  await page.findByText(message);
  answers.on(listSources, { success: true, data: [buildSource()] });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Main console');
});

test('leads on where nothing is connected', async () => {
  const { page, person } = openPortal({ path, user, answers: answersWith({}) });
  await page.findByText('No console connected');
  await page.findByText('No tools report yet');
  await person.click(page.getByRole('button', { name: 'Connect a console' }));
  await page.findByRole('dialog', { name: 'Connect a console' });
});

test('is closed to those who may not connect anything', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: createAnswers() });
  await page.findByText("You don't have access to Sources");
});
