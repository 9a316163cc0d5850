import { previewItem } from '@keepwatch/contract/restore/previews';
import { openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { type ItemVersion, listItemVersions } from '@keepwatch/contract/restore/versions';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildPreview } from '../testing/builders.ts';
import { outlookAnswers } from '../testing/restore-answers.ts';

const user = buildUser({ roles: ['o365_admin'] });
const path = '/o365/outlook?open=message~mailbox-1~message-1';

function buildVersion(version: number, day: number, fields: Partial<ItemVersion> = {}): ItemVersion {
  const backupTime = `2026-03-${day}T12:00:00.000Z`;
  return {
    version,
    name: 'Message 1',
    path: ['Inbox'],
    sizeBytes: 1_024,
    modifiedAt: null,
    modifiedBy: 'Ada',
    firstBackupTime: backupTime,
    lastBackupTime: backupTime,
    restorePoints: 1,
    isShown: false,
    isCurrent: false,
    ...fields,
  };
}

const BODIES: Readonly<Record<string, string>> = {
  3: '<p>Dear Bob</p><p>the price is 12</p>',
  2: '<p>Dear Bob</p><p>the price is 10</p>',
  1: '<p>Draft</p>',
};

function answersWith(versions: ItemVersion[]) {
  return outlookAnswers()
    .on(listItemVersions, {
      success: true,
      data: versions,
      restorePoints: 60,
      firstBackupTime: '2026-03-01T12:00:00.000Z',
      lastBackupTime: '2026-03-15T12:00:00.000Z',
    })
    .on(previewItem, ({ query }) => ({
      success: true as const,
      data: buildPreview({ html: BODIES[query.version ?? 3] ?? null }),
    }));
}

const three = [buildVersion(3, 14, { isShown: true, isCurrent: true }), buildVersion(2, 12), buildVersion(1, 11)];

test('shows an item beside the version before it, with the lines that differ', async () => {
  const { page, person } = openPortal({ path, user, answers: answersWith(three) });
  await person.click(await page.findByRole('button', { name: 'Versions…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Versions of Message 1' }));
  await dialog.findByText('1 of 2 lines differ.');
  const difference = within(dialog.getByRole('region', { name: 'Difference' }));
  expect(difference.getByText('the price is 10').tagName).toBe('DEL');
  expect(difference.getByText('the price is 12').tagName).toBe('INS');
  expect(dialog.getAllByText(/1 of 60/)).toHaveLength(3);
});

test('two others are chosen', async () => {
  const { page, person, answers } = openPortal({ path, user, answers: answersWith(three) });
  await person.click(await page.findByRole('button', { name: 'Versions…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Versions of Message 1' }));
  const [, , oldest] = await dialog.findAllByRole('radio', { name: /^Left: / });
  if (oldest !== undefined) await person.click(oldest);
  await dialog.findByText('Draft');
  expect(answers.asked(previewItem).at(-1)?.query).toEqual({ objectId: 'mailbox-1', itemId: 'message-1', version: 1 });
});

test('restores an earlier version in a session of the restore point that has it', async () => {
  const { page, person, answers } = openPortal({ path, user, answers: answersWith(three) });
  await person.click(await page.findByRole('button', { name: 'Versions…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Versions of Message 1' }));
  const [, earlier] = await dialog.findAllByRole('button', { name: 'Restore…' });
  if (earlier !== undefined) await person.click(earlier);
  await page.findByRole('dialog', { name: 'Restore Message 1' });
  expect(answers.asked(openRestoreSession).at(-1)?.body.datetime).toBe('2026-03-12T12:00:00.000Z');
});

test('says that there is no other version', async () => {
  const { page, person } = openPortal({ path, user, answers: answersWith(three.slice(0, 1)) });
  await person.click(await page.findByRole('button', { name: 'Versions…' }));
  await page.findByText('No restore point has another version of it.');
});

test('draws when an item was there, beside the item', async () => {
  const gone = three.map((version) => ({ ...version, isCurrent: false }));
  const { page } = openPortal({ path, user, answers: answersWith(gone) });
  const text = await page.findByText(/^In 3 of 60 restore points, in 3 versions · last on /);
  const parts = [...(text.parentElement?.querySelectorAll('span') ?? [])];
  // Two weeks, in which the oldest of the three was on the eleventh day.
  expect(parts.map(({ style }) => style.insetInlineStart)).toEqual(['92.86%', '78.57%', '71.43%']);
  expect(parts.map((part) => part.hasAttribute('data-shown'))).toEqual([true, false, false]);
});

test('says that an item is still there', async () => {
  const { page } = openPortal({ path, user, answers: answersWith(three.slice(0, 1)) });
  await page.findByText('In 1 of 60 restore points · still there at the last backup');
});
