import {
  deletePortalBackup,
  editBackupPlan,
  fetchPortalBackup,
  listPortalBackups,
  type PortalBackups,
  preparePortalRestore,
  startPortalBackup,
} from '@keepwatch/contract/administration/backups';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const NAME = 'keepwatch-20260315T020000Z.backup';
const user = buildUser({ roles: ['super-admin'] });
const path = '/admin/backups';

function buildBackups(fields: Partial<PortalBackups> = {}): PortalBackups {
  return {
    isAvailable: true,
    folder: '/data/backups',
    running: null,
    failure: null,
    plan: { isOn: false, at: '02:00', keep: 7 },
    backups: [
      {
        name: NAME,
        createdAt: '2026-03-15T02:00:00.000Z',
        sizeBytes: 4,
        checksum: 'ab'.repeat(32),
        program: '2.2.14',
        keys: ['0123456789abcdef'],
      },
    ],
    ...fields,
  };
}

function open(fields: Partial<PortalBackups> = {}) {
  const answers = createAnswers().on(listPortalBackups, { success: true, data: buildBackups(fields) });
  return openPortal({ path, user, answers });
}

test('lists the backups with size and checksum, and says that the key is not in them', async () => {
  const { page } = open();
  await page.findByText('ab'.repeat(32));
  page.getByText('0123456789abcdef');
  page.getByText(/^Backups are in \/data\/backups/);
  page.getByText(/The key of the stored secrets is\s+not in them/);
});

test('makes one now, and shows how far it is until it is in the list', async () => {
  const { page, person, answers } = open({ backups: [] });
  await page.findByText('No backups yet');
  answers.on(startPortalBackup, () => {
    const running = { since: '2026-03-15T12:00:00.000Z', doneBytes: 50_000_000, totalBytes: 100_000_000 };
    answers.on(listPortalBackups, { success: true, data: buildBackups({ backups: [], running }) });
    return { success: true as const };
  });
  await person.click(page.getByRole('button', { name: 'Back up now' }));
  await page.findByText(/^A backup is being made/);
  expect(page.getByRole('button', { name: 'Back up now' }).hasAttribute('disabled')).toBe(true);
  answers.on(listPortalBackups, { success: true, data: buildBackups() });
  await page.findByText('ab'.repeat(32), {}, { timeout: 3_000 });
});

test('says why the last one failed', async () => {
  const { page } = open({ failure: { at: '2026-03-15T02:00:00.000Z', message: 'There is no room on the disk.' } });
  await page.findByText(/There is no room on the disk\.$/);
});

test('sets the schedule', async () => {
  const { page, person, answers } = open();
  answers.on(editBackupPlan, { success: true });
  await person.click(await page.findByLabelText('Back up every day'));
  const keep = page.getByLabelText(/^Backups to keep/);
  await person.clear(keep);
  await person.type(keep, '14');
  await person.click(page.getByRole('button', { name: 'Save schedule' }));
  await page.findByText('The schedule of the backups is saved.');
  expect(answers.asked(editBackupPlan).map(({ body }) => body)).toEqual([{ isOn: true, at: '02:00', keep: 14 }]);
});

test('downloads one, and deletes one after a question', async () => {
  const { page, person, answers } = open();
  answers.on(fetchPortalBackup, new Blob(['file'])).on(deletePortalBackup, { success: true });
  const offered = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  onTestFinished(() => offered.mockRestore());
  await person.click(await page.findByRole('button', { name: /^Download the backup of/ }));
  await expect.poll(() => offered.mock.calls.length).toBe(1);
  expect(answers.asked(fetchPortalBackup).map(({ params }) => params)).toEqual([{ name: NAME }]);
  await person.click(page.getByRole('button', { name: /^Delete the backup of/ }));
  await person.click(await page.findByRole('button', { name: 'Delete backup' }));
  await page.findByText(`${NAME} is deleted.`);
});

test('checks a backup after the word was typed, and gives the commands that restore it', async () => {
  const { page, person, answers } = open();
  answers.on(preparePortalRestore, {
    success: true,
    data: { commands: [{ label: 'Restore', command: 'npm run restore -- /data/backups/a --replace' }] },
  });
  await person.click(await page.findByRole('button', { name: /^Restore the backup of/ }));
  const field = await page.findByLabelText(/^Type replace to go on/);
  await person.type(field, 'yes');
  await person.click(page.getByRole('button', { name: 'Check backup' }));
  await page.findByText('Type replace to confirm.');
  expect(answers.asked(preparePortalRestore)).toEqual([]);
  await person.clear(field);
  await person.type(field, 'replace');
  await person.click(page.getByRole('button', { name: 'Check backup' }));
  await page.findByText('npm run restore -- /data/backups/a --replace');
});

test('says why a damaged backup is refused', async () => {
  const { page, person, answers } = open();
  const message = 'The file was cut off or changed since it was written. Nothing was restored; use another backup.';
  answers.refuse(preparePortalRestore, 409, { code: 'DAMAGED', message });
  await person.click(await page.findByRole('button', { name: /^Restore the backup of/ }));
  await person.type(await page.findByLabelText(/^Type replace to go on/), 'replace');
  await person.click(page.getByRole('button', { name: 'Check backup' }));
  await page.findByText(message);
});

test('says where a database is backed up that is a server of its own', async () => {
  const { page } = open({ isAvailable: false });
  await page.findByText('The database is backed up elsewhere');
});
