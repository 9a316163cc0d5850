import { downloadMailItems, weighMailbox } from '@keepwatch/contract/restore/mailboxes';
import { within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildDownload } from '../testing/builders.ts';
import { outlookAnswers } from '../testing/restore-answers.ts';

const path = '/o365/outlook?at=mailbox~mailbox-1~Person+1&at=mail-folder~Inbox~Inbox';
const user = buildUser({ roles: ['o365_admin'] });

async function openDialog(sizeBytes: number) {
  const answers = outlookAnswers()
    .on(weighMailbox, { success: true, data: { items: 1, sizeBytes } })
    .on(downloadMailItems, ({ body: { downloadInBackground } }) =>
      downloadInBackground
        ? new Blob([JSON.stringify({ success: true, download: buildDownload(70, { status: 'queued' }) })])
        : new Blob(['message']),
    );
  const { page, person } = openPortal({ path, user, answers });
  await person.click(await page.findByRole('checkbox', { name: 'Select Message 1' }));
  await person.click(page.getByRole('button', { name: 'Download…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Download Message 1' }));
  return { page, person, answers, dialog };
}

test('says the size before a download begins, and saves one message in its format', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { dialog, person, answers, page } = await openDialog(1_536);
  await dialog.findByText('1 item · about 1.5 KB');
  await person.selectOptions(dialog.getByRole('combobox', { name: 'Format' }), 'eml');
  await person.click(dialog.getByRole('button', { name: 'Download now' }));
  await vi.waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(click).toHaveBeenCalled();
  expect(answers.asked(downloadMailItems)[0]?.body).toMatchObject({
    format: 'eml',
    fileName: 'Message 1',
    downloadInBackground: false,
    items: [{ id: 'message-1' }],
  });
});

test('makes a large file in the background alone, and says where it will be', async () => {
  const { dialog, person } = await openDialog(2 * 1_024 ** 3);
  await dialog.findByText('1 item · about 2 GB');
  expect(dialog.getByRole('button', { name: 'Download now' }).hasAttribute('disabled')).toBe(true);
  await person.click(dialog.getByRole('button', { name: 'Make in the background' }));
  const link = await dialog.findByRole('link', { name: 'Restore downloads' });
  expect(link.getAttribute('href')).toBe('/o365/restore/downloads');
});
