import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { listMailboxItems, listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { previewItem } from '@keepwatch/contract/restore/previews';
import { listRestorePoints, openRestoreSession, stopRestoreSession } from '@keepwatch/contract/restore/sessions';
import { fireEvent, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { buildMailbox, buildRestoreSession, contoso } from './testing/builders.ts';
import { page as onePage, outlookAnswers } from './testing/restore-answers.ts';

const path = '/o365/outlook';
const user = buildUser({ roles: ['o365_admin'] });
const inbox = `${path}?at=mailbox~mailbox-1~Person+1&at=mail-folder~Inbox~Inbox`;

function open(at = path, answers = outlookAnswers()) {
  return openPortal({ path: at, user, answers });
}

test('opens the newest restore point of the only organization, and lists its mailboxes', async () => {
  const { page, answers } = open();
  const grid = within(await page.findByRole('grid', { name: 'Mailboxes' }));
  await grid.findByText('Person 1');
  grid.getByText('Person 2');
  const tree = within(page.getByRole('tree', { name: 'Mailboxes' }));
  await tree.findByText('Person 1');
  expect(answers.asked(openRestoreSession).map(({ body }) => body)).toEqual([
    {
      companyId: contoso.companyId,
      organizationId: contoso.id,
      datetime: '2026-03-14T12:00:00.000Z',
      sessionType: 'vex',
      showDeleted: false,
    },
  ]);
});

test('leads to the wizard where there is no organization', async () => {
  const { page } = open(path, outlookAnswers().on(listOrganizationNames, { success: true, data: [] }));
  const link = await page.findByRole('link', { name: 'Connect organization' });
  expect(link.getAttribute('href')).toBe('/o365/organizations/new/1');
});

test('distinguishes people of one name by their addresses', async () => {
  const people = [buildMailbox(1, { name: 'Ada' }), buildMailbox(2, { name: 'Ada' }), buildMailbox(3)];
  const { page } = open(path, outlookAnswers().on(listRestoreMailboxes, onePage(people)));
  const grid = within(await page.findByRole('grid', { name: 'Mailboxes' }));
  await grid.findByRole('row', { name: /Ada.*person2@contoso\.test/ });
  grid.getByRole('columnheader', { name: 'Address' });
  const tree = within(page.getByRole('tree', { name: 'Mailboxes' }));
  expect(tree.getAllByRole('treeitem').map(({ textContent }) => textContent)).toEqual([
    'Adaperson1',
    'Adaperson2',
    'Person 3',
  ]);
});

test('says of mailbox settings, which have no list, how they are restored', async () => {
  const settings = `${path}?at=mailbox~mailbox-1~Person+1&at=settings~settings~Mailbox+settings`;
  const { page, person } = open(settings);
  await page.findByRole('heading', { name: 'Restored as a whole' });
  await person.click(page.getByRole('button', { name: 'Select these settings' }));
  page.getByText('1 mailbox settings of Person 1');
});

test('asks for an organization where there are several', async () => {
  const answers = outlookAnswers().on(listOrganizationNames, {
    success: true,
    data: [contoso, { ...contoso, id: '0193a000-0000-7000-8000-000000000099', name: 'Fabrikam' }],
  });
  const { page } = open(path, answers);
  await page.findByRole('heading', { name: 'Choose an organization' });
});

test('offers only organizations that can be restored from here', async () => {
  const others = [
    { ...contoso, id: '0193a000-0000-7000-8000-000000000098', name: 'Litware' },
    { ...contoso, id: '0193a000-0000-7000-8000-000000000099', name: 'Fabrikam', engine: 'veeam' as const },
  ];
  const answers = outlookAnswers().on(listOrganizationNames, { success: true, data: [contoso, ...others] });
  const { page, person } = open(`${path}?organization=${others[1]?.id}`, answers);
  await page.findByRole('heading', { name: 'Choose an organization' });
  await person.click(page.getByRole('button', { name: /^Organization/ }));
  await page.findByText('Litware');
  expect(page.queryByText('Fabrikam')).toBeNull();
  expect(answers.asked(openRestoreSession)).toEqual([]);
});

test('says what to do where nothing has been backed up', async () => {
  const { page } = open(path, outlookAnswers().on(listRestorePoints, { success: true, count: 0, data: [] }));
  await page.findByRole('heading', { name: 'No restore points' });
  page.getByText('No run of a job has backed up mailboxes of this organization yet. Start a job that covers them.');
});

test('shows which days have a restore point and whether it is complete, and opens the one that is chosen', async () => {
  const { page, person, answers, address } = open();
  await person.click(await page.findByRole('button', { name: /^Restore point: / }));
  const calendar = within(page.getByRole('dialog', { name: 'Restore points' }));
  await calendar.findByRole('button', { name: 'March 14, 2026: 1 restore point, complete' });
  await person.click(calendar.getByRole('button', { name: 'March 12, 2026: 1 restore point, partial' }));
  await page.findByText(/partial, 2 objects incomplete/);
  expect(address()).toContain('point=2026-03-12');
  expect(answers.asked(openRestoreSession).at(-1)?.body.datetime).toBe('2026-03-12T12:00:00.000Z');
});

test('steps through restore points with the keyboard, and keeps its place', async () => {
  const { page, person, address } = open(inbox);
  await page.findByText('Message 1');
  await person.keyboard('[[');
  await waitFor(() => expect(address()).toContain('point=2026-03-12'));
  expect(address()).toContain('Inbox');
  await page.findByText('Message 1');
});

test('shows deleted items in a session of their own', async () => {
  const { page, person, answers } = open();
  await person.click(await page.findByRole('button', { name: 'Show deleted' }));
  await waitFor(() => expect(answers.asked(openRestoreSession).at(-1)?.body.showDeleted).toBe(true));
});

test('unfolds the tree with the arrows, opens a folder with Enter, and says the way back', async () => {
  const { page, person } = open();
  const tree = await page.findByRole('tree', { name: 'Mailboxes' });
  await within(tree).findByText('Person 1');
  tree.focus();
  await person.keyboard('{Home}{ArrowRight}');
  await within(tree).findByText('Inbox');
  await person.keyboard('{ArrowRight}{Enter}');
  await page.findByText('Message 1');
  const crumbs = within(page.getByRole('navigation', { name: 'Breadcrumbs' }));
  await person.click(crumbs.getByRole('button', { name: 'Person 1' }));
  await page.findByRole('grid', { name: 'In Person 1' });
});

test('reads a folder a page at a time by the links of the server', async () => {
  const { page, answers } = open(inbox);
  await page.findByText('Message 1');
  expect(answers.asked(listMailboxItems).every(({ query }) => query.offset === 0)).toBe(true);
  const grid = page.getByRole('grid', { name: 'In Inbox' });
  grid.scrollTop = 100 * 36;
  fireEvent.scroll(grid);
  await waitFor(() => expect(answers.asked(listMailboxItems).some(({ query }) => query.offset === 100)).toBe(true));
});

test('says what failed, and offers it again without losing the rest', async () => {
  const answers = outlookAnswers().refuse(listMailboxItems, 500, {
    code: 'INTERNAL_ERROR',
    message: 'Error getting the mailbox items. Try again later.',
  });
  const { page } = open(inbox, answers);
  await page.findByText('Error getting the mailbox items. Try again later.');
  await within(page.getByRole('tree', { name: 'Mailboxes' })).findByText('Person 2');
});

test('finds mailboxes by name in tree and list', async () => {
  const { page, person, answers } = open();
  await page.findByRole('tree', { name: 'Mailboxes' });
  await person.type(page.getByRole('searchbox', { name: 'Find mailboxes' }), 'Person 2');
  await waitFor(() => expect(page.queryByText('Person 1')).toBeNull());
  expect(answers.asked(listRestoreMailboxes).at(-1)?.query.search).toBe('Person 2');
});

test('shows a message in a frame in which nothing runs and nothing is loaded from outside', async () => {
  const { page, person, answers } = open(inbox);
  await person.click(await page.findByText('Message 1'));
  const panel = within(await page.findByRole('complementary', { name: 'Message 1' }));
  const frame = panel.getByTitle('Message: Message 1');
  expect(frame.getAttribute('sandbox')).toBe('');
  expect(frame.getAttribute('srcdoc')).toContain("default-src 'none'");
  panel.getByText('Bob Marsh <bob@contoso.test>');
  expect(answers.asked(previewItem)[0]?.query).toEqual({ objectId: 'mailbox-1', itemId: 'message-1' });
});

test('searches over all time, says when an item last existed, and goes to the last point with it', async () => {
  const { page, person, answers, address } = open();
  await page.findByRole('grid', { name: 'Mailboxes' });
  await person.type(page.getByRole('searchbox', { name: 'Search items' }), 'figures');
  const hits = within(await page.findByRole('grid', { name: 'Search results' }));
  await person.click(await page.findByRole('button', { name: 'Over all time' }));
  await waitFor(() =>
    expect(answers.asked(searchRestoreSession).at(-1)?.query).toMatchObject({ text: 'figures', allTime: true }),
  );
  await person.click(await hits.findByText('Quarterly figures'));
  await person.click(await page.findByRole('button', { name: 'Go to the last restore point with it' }));
  await waitFor(() => expect(address()).toContain('point=2026-03-05T11'));
});

test('keeps the selection over folders, and says how much it is', async () => {
  const { page, person } = open(inbox);
  await person.click(await page.findByRole('checkbox', { name: 'Select Message 1' }));
  await person.click(page.getByRole('checkbox', { name: 'Select Message 2' }));
  const tray = within(page.getByRole('region', { name: 'Selection' }));
  tray.getByText('2 messages · 2 KB of Person 1');
  await person.click(
    within(page.getByRole('navigation', { name: 'Breadcrumbs' })).getByRole('button', { name: 'Person 1' }),
  );
  await person.click(await page.findByRole('checkbox', { name: 'Select Offers' }));
  tray.getByText('2 messages, 1 folder · 2 KB and folders of Person 1');
  await person.click(tray.getByRole('button', { name: 'Clear' }));
  expect(page.queryByRole('region', { name: 'Selection' })).toBeNull();
});

test('has what was selected after another visit, until the session is stopped', async () => {
  const first = open(inbox);
  await first.person.click(await first.page.findByRole('checkbox', { name: 'Select Message 1' }));
  first.page.unmount();
  const { page, person } = open(inbox, outlookAnswers().on(stopRestoreSession, { success: true }));
  within(await page.findByRole('region', { name: 'Selection' })).getByText('1 message · 1 KB of Person 1');
  await person.click(page.getByRole('button', { name: 'Stop session' }));
  await person.click(await page.findByRole('button', { name: 'Open a session' }));
  await page.findByRole('checkbox', { name: 'Select Message 1' });
  expect(page.queryByRole('region', { name: 'Selection' })).toBeNull();
});

test('restores what was selected at one restore point from that one, also while another is shown', async () => {
  const { page, person, answers } = open(inbox);
  await person.click(await page.findByRole('checkbox', { name: 'Select Message 1' }));
  await person.keyboard('[[');
  await waitFor(() => expect(answers.asked(openRestoreSession)).toHaveLength(2));
  const earlier = await page.findByRole('region', { name: /^Selection as of 0?3\/14\/(20)?26/ });
  await person.click(await page.findByRole('checkbox', { name: 'Select Message 2' }));
  const shown = within(page.getByRole('region', { name: 'Selection' }));
  shown.getByText('1 message · 1 KB of Person 1');
  await person.click(within(earlier).getByRole('button', { name: 'Restore…' }));
  await page.findByRole('dialog', { name: 'Restore Message 1' });
  expect(answers.asked(openRestoreSession).at(-1)?.body.datetime).toBe('2026-03-14T12:00:00.000Z');
  await person.keyboard('{Escape}');
  await person.click(within(earlier).getByRole('button', { name: 'Clear' }));
  expect(page.getAllByRole('region', { name: /^Selection/ })).toHaveLength(1);
});

test('opens another session when the one before has ended', async () => {
  const answers = outlookAnswers();
  answers.refuse(listRestoreMailboxes, 409, { code: 'RESTORE_SESSION_ENDED', message: 'The session has ended.' });
  answers.on(openRestoreSession, () => {
    const opened = answers.asked(openRestoreSession).length;
    if (opened > 1) answers.on(listRestoreMailboxes, onePage([buildMailbox(1)]));
    return { success: true as const, data: buildRestoreSession(50 + opened) };
  });
  const { page } = open(path, answers);
  await within(await page.findByRole('grid', { name: 'Mailboxes' })).findByText('Person 1');
});

test('stops the session, and opens another one', async () => {
  const answers = outlookAnswers().on(stopRestoreSession, { success: true });
  const { page, person } = open(path, answers);
  await person.click(await page.findByRole('button', { name: 'Stop session' }));
  await page.findByRole('heading', { name: 'The restore session has been stopped' });
  await person.click(page.getByRole('button', { name: 'Open a session' }));
  await page.findByRole('grid', { name: 'Mailboxes' });
});
