import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { listDriveDocuments, listDriveFolders, listRestoreDrives } from '@keepwatch/contract/restore/drives';
import { downloadItemPart, previewItem, showItemPicture } from '@keepwatch/contract/restore/previews';
import { listRestorePoints, openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { listItemVersions } from '@keepwatch/contract/restore/versions';
import { within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildPoint, buildPreview, buildRestoreSession, contoso } from '../testing/builders.ts';
import { NO_VERSIONS, page as onePage, outlookAnswers } from '../testing/restore-answers.ts';

const user = buildUser({ roles: ['o365_admin'] });
const drive = {
  id: 'drive-1',
  name: 'Ada Lovelace',
  url: null,
  backupTime: '2026-03-14T12:00:00.000Z',
  isDeleted: false,
};
const file = { type: 'file', from: null, recipients: [], sentAt: null, html: null };
const current = {
  id: 'file',
  what: 'current' as const,
  name: 'Plan.docx',
  contentType: null,
  sizeBytes: 2_048,
  modifiedAt: null,
  isInline: false,
};

function driveAnswers() {
  return createAnswers()
    .on(listOrganizationNames, { success: true, data: [contoso] })
    .on(listRestorePoints, { success: true, count: 1, data: [buildPoint(14)] })
    .on(openRestoreSession, { success: true, data: buildRestoreSession(50, { sessionType: 'veod' }) })
    .on(listRestoreDrives, onePage([drive]))
    .on(listDriveFolders, onePage([]))
    .on(listDriveDocuments, onePage([]))
    .on(listItemVersions, NO_VERSIONS);
}

const opened = '/o365/onedrive?open=document~drive-1~file-1';

test('a document without a reader shows what it is, and is saved as it is', async () => {
  const facts = [
    { name: 'Modified by', value: 'Ada', type: 'text' as const },
    { name: 'Modified', value: '2026-03-10T12:00:00.000Z', type: 'instant' as const },
    { name: 'Size', value: '2048', type: 'bytes' as const },
    { name: 'SHA-256', value: 'abc123', type: 'text' as const },
  ];
  const answers = driveAnswers()
    .on(previewItem, { success: true, data: buildPreview({ ...file, name: 'Plan.docx', parts: [current], facts }) })
    .on(downloadItemPart, new Blob(['bytes']));
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test');
  const { page, person } = openPortal({ path: opened, user, answers });
  const panel = within(await page.findByRole('complementary', { name: 'Plan.docx' }));
  panel.getByText('This kind of file has no preview here. Download it to open it.');
  panel.getByText('2 KB (2,048 bytes)');
  panel.getByText('abc123');
  await person.click(panel.getByRole('button', { name: 'Download file' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalled());
  expect(answers.asked(downloadItemPart).map(({ query }) => query)).toEqual([
    { objectId: 'drive-1', itemId: 'file-1', part: 'file' },
  ]);
});

test('a text is shown as text, whatever it would do in a browser', async () => {
  const text = '<script>document.title = "run"</script>';
  const answers = driveAnswers().on(previewItem, {
    success: true,
    data: buildPreview({ ...file, name: 'page.html', text, isCut: true }),
  });
  const { page } = openPortal({ path: opened, user, answers });
  const shown = within(await page.findByRole('complementary', { name: 'page.html' }));
  expect(shown.getByRole('region', { name: 'Text: page.html' }).textContent).toBe(text);
  shown.getByText('Only the beginning is shown. Download it to read all of it.');
  expect(document.title).not.toBe('run');
});

test('a picture is shown from its own call, as data', async () => {
  const answers = driveAnswers()
    .on(previewItem, { success: true, data: buildPreview({ ...file, name: 'logo.png', picture: 'file' }) })
    .on(showItemPicture, new Blob(['png'], { type: 'image/png' }));
  const { page } = openPortal({ path: opened, user, answers });
  const picture = await page.findByRole('img', { name: 'Content of logo.png' });
  expect(picture.getAttribute('src')).toBe(`data:image/png;base64,${btoa('png')}`);
});

test('an attachment opens beside its message, and downloads alone', async () => {
  const attachment = { ...current, id: 'attachment/0', what: 'attachment' as const, name: 'notes.txt' };
  const answers = outlookAnswers().on(previewItem, ({ query }) => ({
    success: true as const,
    data:
      query.part === undefined
        ? buildPreview({ parts: [attachment] })
        : buildPreview({ ...file, name: 'notes.txt', text: 'Attached words' }),
  }));
  const { page, person } = openPortal({ path: '/o365/outlook?open=message~mailbox-1~message-1', user, answers });
  const attachments = within(await page.findByRole('region', { name: 'Attachments' }));
  await person.click(attachments.getByRole('button', { name: 'Show' }));
  await attachments.findByText('Attached words');
  expect(answers.asked(previewItem).at(-1)?.query.part).toBe('attachment/0');
  attachments.getByRole('button', { name: 'Download' });
});

test('an event is a card with its facts', async () => {
  const facts = [
    { name: 'Starts', value: '2026-03-10T12:00:00.000Z', type: 'instant' as const },
    { name: 'Location', value: 'Room 4', type: 'text' as const },
  ];
  const answers = outlookAnswers().on(previewItem, {
    success: true,
    data: buildPreview({ type: 'event', name: 'Review', facts }),
  });
  const { page } = openPortal({ path: '/o365/outlook?open=event~mailbox-1~event-1', user, answers });
  const panel = within(await page.findByRole('complementary', { name: 'Review' }));
  panel.getByText('Room 4');
  panel.getByText('Starts');
});
