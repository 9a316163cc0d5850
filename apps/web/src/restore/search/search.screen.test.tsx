import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { previewItem } from '@keepwatch/contract/restore/previews';
import { openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildFound } from '../testing/builders.ts';
import { outlookAnswers } from '../testing/restore-answers.ts';

const user = buildUser({ roles: ['o365_admin'] });

async function openFilters(path = '/o365/outlook', answers = outlookAnswers()) {
  const opened = openPortal({ path, user, answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Search filters' }));
  const filters = within(await opened.page.findByRole('region', { name: 'Search filters' }));
  const asked = () => opened.answers.asked(searchRestoreSession).at(-1)?.query;
  return { ...opened, filters, asked };
}

test('finds without words: deleted mail over all time, with attachments, of a sender', async () => {
  const { filters, person, asked, address } = await openFilters();
  await person.click(filters.getByRole('button', { name: 'Only deleted' }));
  await person.click(filters.getByRole('button', { name: 'Has attachments' }));
  await person.type(filters.getByRole('textbox', { name: 'From' }), 'Bob');
  await waitFor(() =>
    expect(asked()).toMatchObject({ deletedOnly: true, allTime: true, hasAttachments: true, from: 'Bob' }),
  );
  expect(asked()).not.toHaveProperty('text');
  expect(address()).toContain('sender=Bob');
  await person.click(filters.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(asked()).not.toHaveProperty('from'));
});

test('narrows by type and size, and by days of the address', async () => {
  const { filters, page, person, asked } = await openFilters('/o365/outlook?when=2026-03-01..2026-03-02');
  await person.click(filters.getByRole('button', { name: 'Type' }));
  await person.click(await page.findByRole('option', { name: 'Events' }));
  await person.keyboard('{Escape}');
  await person.click(filters.getByRole('button', { name: /^Size/ }));
  await person.click(await page.findByRole('option', { name: 'Over 10 MB' }));
  await waitFor(() => expect(asked()).toMatchObject({ types: ['event'], sizeFrom: 10 * 2 ** 20 }));
  const { dateFrom, dateTo } = asked() ?? {};
  expect(new Date(dateFrom ?? '').getDate()).toBe(1);
  expect(new Date(dateTo ?? '').getDate()).toBe(2);
});

test('an item that is gone is opened in the last restore point that has it', async () => {
  const { page, person, answers } = await openFilters();
  await person.click(await page.findByText('Quarterly figures'));
  await page.findByRole('complementary', { name: 'Message 1' });
  expect(answers.asked(openRestoreSession).at(-1)?.body.datetime).toBe('2026-03-05T11:59:59.999Z');
  expect(answers.asked(previewItem)).toHaveLength(1);
});

test('an item found over all time that came after the restore point is opened in the newest one', async () => {
  const answers = outlookAnswers().on(searchRestoreSession, { success: true, data: [buildFound()], _next: null });
  const { page, person } = await openFilters('/o365/outlook?point=2026-03-10T12:00:00.000Z&all=true', answers);
  await person.click(await page.findByText('Quarterly figures'));
  await page.findByRole('complementary', { name: 'Message 1' });
  expect(answers.asked(openRestoreSession).at(-1)?.body.datetime).toBe('2026-03-14T12:00:00.000Z');
});

test('an item that ended later is read as it was at the restore point that is searched', async () => {
  const { page, person, answers } = await openFilters('/o365/outlook?point=2026-03-02T12:00:00.000Z');
  await person.click(await page.findByText('Quarterly figures'));
  await page.findByRole('complementary', { name: 'Message 1' });
  expect(answers.asked(openRestoreSession).map(({ body }) => body.datetime)).toEqual(['2026-03-02T12:00:00.000Z']);
});

test('looks into the open folder, then into its mailbox, then everywhere', async () => {
  const { page, person, asked } = await openFilters(
    '/o365/outlook?at=mailbox~mailbox-1~Ada&at=mail-folder~Inbox~Inbox',
  );
  await waitFor(() => expect(asked()).toMatchObject({ objectId: 'mailbox-1', parentId: 'Inbox' }));
  await person.click(page.getByRole('button', { name: 'Search in Ada' }));
  await waitFor(() => expect(asked()).not.toHaveProperty('parentId'));
  expect(asked()).toMatchObject({ objectId: 'mailbox-1' });
  await person.click(page.getByRole('button', { name: 'Search everywhere' }));
  await waitFor(() => expect(asked()).not.toHaveProperty('objectId'));
});

test('goes on behind a page that found nothing and has a next one', async () => {
  const answers = outlookAnswers().on(searchRestoreSession, ({ query: { after } }) => ({
    success: true as const,
    data: after === undefined ? [] : [buildFound()],
    _next: after === undefined ? '0 next' : null,
  }));
  const { page, asked } = await openFilters('/o365/outlook', answers);
  await page.findByText('Quarterly figures');
  expect(asked()).toMatchObject({ after: '0 next' });
  expect(page.queryByText('Nothing found')).toBeNull();
});

test('what is gone and selected is restored from the restore points that have it', async () => {
  const { page, person, answers } = await openFilters();
  await person.click(await page.findByRole('checkbox', { name: 'Select Quarterly figures' }));
  await person.click(within(page.getByRole('region', { name: 'Selection' })).getByRole('button', { name: 'Restore…' }));
  await page.findByRole('dialog', { name: 'Restore Quarterly figures' });
  expect(answers.asked(openRestoreSession).at(-1)?.body).toMatchObject({
    datetime: '2026-03-14T12:00:00.000Z',
    showDeleted: true,
  });
});
