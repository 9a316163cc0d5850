import { listRestorePoints, openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { type ComparedItem, compareRestorePoints } from '@keepwatch/contract/restore/versions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildFound, buildPoint, buildRestoreSession } from '../testing/builders.ts';
import { outlookAnswers } from '../testing/restore-answers.ts';

const user = buildUser({ roles: ['o365_admin'] });
const inbox = '/o365/outlook?at=mailbox~mailbox-1~Person+1&at=mail-folder~Inbox~Inbox';

function buildChange(id: string, change: ComparedItem['change'], fields: Partial<ComparedItem> = {}): ComparedItem {
  return { ...buildFound({ id, name: id }), change, before: null, ...fields };
}

const CHANGES = [
  buildChange('lost', 'vanished'),
  buildChange('Old', 'vanished', { type: 'mail-folder' }),
  buildChange('in old', 'vanished', { parentId: 'Old', path: ['Inbox', 'Old'] }),
  buildChange('moved', 'changed', {
    before: { name: 'moved', path: ['Offers'], sizeBytes: 1_024, date: null },
  }),
  buildChange('new', 'appeared'),
];

/** Each restore point has its session; the older one is 51. */
function answersWith(changes = CHANGES) {
  return outlookAnswers()
    .on(openRestoreSession, ({ body: { datetime } }) => ({
      success: true as const,
      data: buildRestoreSession(datetime.startsWith('2026-03-12') ? 51 : 50, { datetime, backupTime: datetime }),
    }))
    .on(compareRestorePoints, ({ query: { change } }) => ({
      success: true as const,
      data: changes.filter((one) => change === undefined || one.change === change),
      _next: null,
    }));
}

async function openComparison(changes = CHANGES) {
  const opened = openPortal({ path: inbox, user, answers: answersWith(changes) });
  await opened.page.findByText('Message 1');
  await opened.person.keyboard('c');
  const grid = within(await opened.page.findByRole('grid', { name: 'Changes' }));
  await grid.findByText('lost');
  return { ...opened, grid };
}

test('a folder is compared with the restore point before, and says what appeared, changed and vanished', async () => {
  const { grid, answers, address, page, person } = await openComparison();
  const [asked] = answers.asked(compareRestorePoints);
  expect(asked?.params.restoreSessionId).toBe(buildRestoreSession(50).id);
  expect(asked?.query).toMatchObject({
    otherSessionId: buildRestoreSession(51).id,
    objectId: 'mailbox-1',
    parentId: 'Inbox',
  });
  expect(address()).toContain('with=2026-03-12');
  expect(grid.getAllByText('Vanished')).toHaveLength(3);
  grid.getByText('Moved');
  grid.getByText('1 KB → 2 KB');
  await person.click(page.getByRole('button', { name: 'Close the comparison' }));
  await page.findByText('Message 1');
});

test('shows vanished items alone', async () => {
  const { page, person, answers } = await openComparison();
  await person.click(page.getByRole('button', { name: /^Change/ }));
  await person.click(await page.findByRole('option', { name: 'Vanished' }));
  await waitFor(() => expect(answers.asked(compareRestorePoints).at(-1)?.query.change).toBe('vanished'));
});

test('restores what vanished with one press, as it was at the earlier restore point', async () => {
  const { page, person, answers } = await openComparison();
  await person.click(page.getByRole('button', { name: 'Restore what vanished…' }));
  // The folder that vanished is restored with what was in it.
  await page.findByRole('dialog', { name: 'Restore lost and 1 more' });
  expect(answers.asked(openRestoreSession).at(-1)?.body.datetime).toBe('2026-03-12T12:00:00.000Z');
});

test('what is selected is downloaded as it was at either point', async () => {
  const { page, person } = await openComparison();
  await person.click(page.getByRole('checkbox', { name: 'Select moved' }));
  const chosen = within(page.getByRole('region', { name: 'Selected changes' }));
  chosen.getByText('1 change selected');
  expect(chosen.getAllByRole('button', { name: /^Download as of/ })).toHaveLength(2);
  chosen.getByRole('button', { name: /^Restore as of/ });
});

test('compares the mailboxes themselves, and goes on in one that changed', async () => {
  const mailbox = { type: 'mailbox', objectId: 'mailbox-1', objectName: 'Person 1', parentId: null, path: [] };
  const changes = [
    buildChange('mailbox-1', 'changed', { ...mailbox, name: 'Person 1' }),
    buildChange('mailbox-9', 'vanished', { ...mailbox, objectId: 'mailbox-9', name: 'Person 9' }),
  ];
  const { page, person, answers, address } = openPortal({ path: '/o365/outlook', user, answers: answersWith(changes) });
  await person.click(await page.findByRole('button', { name: 'Compare…' }));
  const grid = within(await page.findByRole('grid', { name: 'Changes' }));
  await grid.findByText('Person 9');
  expect(answers.asked(compareRestorePoints)[0]?.query).not.toHaveProperty('objectId');
  await person.click(grid.getByText('Person 1'));
  await waitFor(() => expect(answers.asked(compareRestorePoints).at(-1)?.query.objectId).toBe('mailbox-1'));
  expect(decodeURIComponent(address())).toContain('at=mailbox~mailbox-1');
});

test('says why there is nothing to compare with', async () => {
  const one = answersWith().on(listRestorePoints, { success: true, count: 1, data: [buildPoint(14)] });
  const { page } = openPortal({ path: inbox, user, answers: one });
  const compare = await page.findByRole('button', { name: 'Compare…' });
  expect(compare).toHaveProperty('disabled', true);
  page.getByText('There is no other restore point to compare with.');
});

test('says that nothing differs', async () => {
  const { page, person } = openPortal({ path: inbox, user, answers: answersWith([]) });
  await page.findByText('Message 1');
  await person.click(page.getByRole('button', { name: 'Compare…' }));
  await page.findByRole('heading', { name: 'No difference' });
});
