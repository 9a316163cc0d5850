import {
  cancelDownload,
  deleteDownload,
  fetchDownload,
  listDownloads,
  readDownload,
} from '@keepwatch/contract/restore/downloads';
import {
  listRestoreOperationItems,
  listRestoreOperations,
  readRestoreOperation,
} from '@keepwatch/contract/restore/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildDownload, buildOperation } from '../testing/builders.ts';

const path = '/o365/restore/downloads';
const user = buildUser({ roles: ['o365_admin'] });
const ready = buildDownload(71, { sizeBytes: 3 });
const running = buildDownload(72, {
  status: 'running',
  bytes: 512,
  items: 4,
  finishedAt: null,
  sizeBytes: null,
  url: null,
});

function answersWith(rows = [ready, running]) {
  return createAnswers()
    .on(listDownloads, { success: true, results: rows, count: rows.length })
    .on(readDownload, ({ params: { id } }) => {
      const download = rows.find((row) => row.id === id);
      if (download === undefined) throw new Error(`The test has no download ${id}.`);
      return { success: true as const, download };
    });
}

test('lists background downloads with their progress, and opens one at its own address', async () => {
  const { page, person, address } = openPortal({ path, user, answers: answersWith() });
  await page.findByText('Running · 4 of 10');
  await person.click(page.getByText('Person 71.pst'));
  const panel = within(await page.findByRole('complementary', { name: 'Person 71.pst' }));
  panel.getByText('abc');
  expect(address()).toBe(`${path}/${ready.id}`);
});

test('saves the file of a finished download', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const answers = answersWith().on(fetchDownload, new Blob(['pst']));
  const { page, person } = openPortal({ path: `${path}/${ready.id}`, user, answers });
  await person.click(await page.findByRole('button', { name: 'Save file' }));
  await waitFor(() => expect(click).toHaveBeenCalled());
  expect(answers.asked(fetchDownload)[0]?.query.url).toBe(ready.url);
});

test('cancels one that runs, and removes one that is finished', async () => {
  const answers = answersWith()
    .on(cancelDownload, { success: true, download: { ...running, status: 'cancelled' } })
    .on(deleteDownload, { success: true });
  const { page, person, address } = openPortal({ path: `${path}/${running.id}`, user, answers });
  await person.click(await page.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(answers.asked(cancelDownload)[0]?.params.id).toBe(running.id));
  await person.click(await page.findByText('Person 71.pst'));
  await person.click(await page.findByRole('button', { name: 'Remove' }));
  await page.findByText('Person 71.pst has been removed.');
  expect(address()).toBe(path);
});

test('says what downloads are where there is none', async () => {
  const { page } = openPortal({ path, user, answers: answersWith([]) });
  await page.findByRole('heading', { name: 'No downloads' });
});

test('lists restores with their reports', async () => {
  const restore = buildOperation(61, { state: 'Warning', restored: 3, failed: 1 });
  const answers = answersWith()
    .on(listRestoreOperations, { success: true, count: 1, data: [restore] })
    .on(readRestoreOperation, { success: true, data: restore })
    .on(listRestoreOperationItems, { success: true, count: 0, data: [] });
  const { page, person } = openPortal({ path: `${path}?view=restores`, user, answers });
  await person.click(await page.findByText(restore.name));
  const result = await page.findByRole('list', { name: 'Result' });
  expect(result.textContent).toContain('3 restored');
});
