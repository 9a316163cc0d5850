import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { listChatMessages, listChatPeople, listChats, weighChats } from '@keepwatch/contract/restore/chats';
import { listDriveDocuments, listDriveFolders, listRestoreDrives } from '@keepwatch/contract/restore/drives';
import { previewItem } from '@keepwatch/contract/restore/previews';
import { listRestorePoints, openRestoreSession } from '@keepwatch/contract/restore/sessions';
import {
  listRestoreSites,
  listSiteContent,
  listSiteDocuments,
  listSiteFolders,
  listSiteItems,
} from '@keepwatch/contract/restore/sites';
import {
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamPosts,
  listTeamTabs,
} from '@keepwatch/contract/restore/teams';
import { listThread } from '@keepwatch/contract/restore/threads';
import { listItemVersions } from '@keepwatch/contract/restore/versions';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildBranding, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildPoint, buildPreview, buildRestoreSession, contoso } from '../testing/builders.ts';
import { NO_VERSIONS, page as onePage } from '../testing/restore-answers.ts';

const user = buildUser({ roles: ['o365_admin'] });
const backupTime = '2026-03-14T12:00:00.000Z';

function answersWith() {
  return createAnswers()
    .on(listOrganizationNames, { success: true, data: [contoso] })
    .on(listRestorePoints, { success: true, count: 1, data: [buildPoint(14)] })
    .on(openRestoreSession, ({ body: { sessionType } }) => ({
      success: true as const,
      data: buildRestoreSession(50, { sessionType }),
    }));
}

const document = {
  id: 'd1',
  name: 'Plan.docx',
  parentId: null,
  isFolder: false as const,
  sizeBytes: 2_048,
  version: '3.0',
  versionCount: 2,
  modifiedBy: 'Ada',
  creationTime: null,
  modificationTime: backupTime,
  url: null,
  isDeleted: false,
};

function siteAnswers() {
  const site = {
    id: 's1',
    name: 'Shop',
    url: 'https://contoso.test/sites/shop',
    type: 'site' as const,
    backupTime,
    isPersonal: false,
    children: [],
    isDeleted: false,
  };
  const node = { siteId: 's1', parentId: 's1-content', siteURL: null, url: null, isDeleted: false };
  const row = {
    id: 'i1',
    name: 'Order 1',
    title: 'Order 1',
    siteId: 's1',
    parentId: 'l1',
    type: 'item' as const,
    list: 'Orders',
    sizeBytes: 10,
    version: null,
    modifiedBy: null,
    creationTime: null,
    modificationTime: null,
    url: null,
    isDeleted: false,
  };
  return answersWith()
    .on(listRestoreSites, ({ query }) =>
      onePage(query.parentId === 'Root' ? [site] : [{ ...site, id: 's2', name: 'Shop, inside' }]),
    )
    .on(listSiteContent, {
      success: true,
      data: [
        { ...node, id: 'lib', name: 'Documents', type: 'library', folderType: 'Library', list: 'Documents' },
        { ...node, id: 'l1', name: 'Orders', type: 'list', folderType: 'List', list: 'Orders' },
      ],
    })
    .on(listSiteFolders, onePage([]))
    .on(listSiteDocuments, onePage([{ ...document, siteId: 's1', type: 'document' as const, list: 'Documents' }]))
    .on(listSiteItems, onePage([row]));
}

test('shows below each site the fixed nodes Subsites and Content, and asks by their ids', async () => {
  const { page, person, answers } = openPortal({ path: '/o365/sharepoint', user, answers: siteAnswers() });
  const grid = () => within(page.getByRole('grid'));
  await person.click(await within(await page.findByRole('grid', { name: 'Sites' })).findByText('Shop'));
  await grid().findByText('Subsites');
  // They are opened, and not chosen.
  expect(grid().queryByRole('checkbox')).toBeNull();
  await person.click(grid().getByText('Content'));
  await person.click(await grid().findByText('Documents'));
  await grid().findByText('Plan.docx');
  const crumbs = within(page.getByRole('navigation', { name: 'Breadcrumbs' }));
  await person.click(crumbs.getByRole('button', { name: 'Content' }));
  await person.click(await grid().findByText('Orders'));
  await grid().findByText('Order 1');
  expect(answers.asked(listSiteContent)[0]?.query.parentId).toBe('s1-content');
  expect(answers.asked(listSiteDocuments)[0]?.query.parentId).toBe('lib');
  expect(answers.asked(listSiteItems)[0]?.query.parentId).toBe('l1');
  await person.click(crumbs.getByRole('button', { name: 'Shop' }));
  await person.click(await grid().findByText('Subsites'));
  await grid().findByText('Shop, inside');
  expect(answers.asked(listRestoreSites).at(-1)?.query.parentId).toBe('s1-subsites');
});

test('shows posts, files and tabs of a channel, and beside the teams the chats of people', async () => {
  const at = { teamId: 't1', channelId: 'c1', isDeleted: false };
  const answers = answersWith()
    .on(listRestoreTeams, onePage([{ id: 't1', displayName: 'Sales', groupEmail: null, backupTime, isDeleted: false }]))
    .on(
      listTeamChannels,
      onePage([{ id: 'c1', displayName: 'General', teamId: 't1', type: 'standard', isDeleted: false }]),
    )
    .on(
      listTeamPosts,
      onePage([
        {
          ...at,
          id: 'c1/messages/1',
          postId: '1',
          parentId: null,
          author: 'Ada',
          subject: 'Hello',
          createdTime: null,
          lastModifiedTime: null,
          isImportant: false,
          hasAttachments: false,
        },
      ]),
    )
    .on(
      listTeamFiles,
      onePage([
        {
          ...at,
          id: 'lib:f1',
          name: 'Offer.pdf',
          fileType: 'File' as const,
          sizeBytes: 5,
          version: null,
          modified: null,
          modifiedBy: null,
          _links: {},
        },
      ]),
    )
    .on(
      listChatPeople,
      onePage([{ id: 'u1-chats', displayName: 'Ada', email: 'ada@contoso.test', backupTime, isDeleted: false }]),
    )
    .on(
      listChats,
      onePage([
        {
          id: '19:a',
          displayName: 'Lunch',
          personId: 'u1-chats',
          type: 'group',
          members: ['Ada', 'Bo'],
          createdTime: null,
          isDeleted: false,
        },
      ]),
    )
    .on(
      listChatMessages,
      onePage([
        {
          id: '19:a/messages/1',
          personId: 'u1-chats',
          chatId: '19:a',
          author: 'Bo',
          subject: 'Soup at noon',
          createdTime: backupTime,
          lastModifiedTime: null,
          hasAttachments: false,
          isDeleted: false,
        },
        {
          id: '19:a/messages/2',
          personId: 'u1-chats',
          chatId: '19:a',
          author: 'Ada',
          subject: '',
          createdTime: backupTime,
          lastModifiedTime: null,
          hasAttachments: false,
          isDeleted: false,
        },
      ]),
    )
    .on(listItemVersions, NO_VERSIONS)
    .on(previewItem, { success: true, data: buildPreview({ type: 'chat-message', name: 'Soup at noon' }) })
    .on(listThread, ({ query: { after } }) => ({
      success: true as const,
      data: [
        buildPreview({
          id: `said-${after ?? 'first'}`,
          type: 'chat-message',
          from: { name: 'Bo <b>', address: null },
          html: null,
          text: 'Soup <i>',
        }),
      ],
      _next: after === undefined ? 'later' : null,
    }))
    .on(weighChats, { success: true, data: { items: 1, sizeBytes: 20 } })
    .on(listTeamTabs, onePage([{ ...at, id: 'tab1', displayName: 'Wiki', type: null, contentUrl: null }]));
  const { page, person } = openPortal({ path: '/o365/teams', user, answers });
  const grid = () => within(page.getByRole('grid'));
  const crumbs = () => within(page.getByRole('navigation', { name: 'Breadcrumbs' }));
  await person.click(await within(await page.findByRole('grid', { name: 'Teams' })).findByText('Sales'));
  await person.click(await grid().findByText('General'));
  await person.click(await grid().findByText('Posts'));
  await grid().findByText('Hello');
  // They come in the order of their time, whatever is asked for.
  expect(
    grid()
      .getAllByRole('columnheader')
      .some((head) => within(head).queryByRole('button') !== null),
  ).toBe(false);
  await person.click(crumbs().getByRole('button', { name: 'General' }));
  await person.click(await grid().findByText('Files'));
  await grid().findByText('Offer.pdf');
  await person.click(crumbs().getByRole('button', { name: 'General' }));
  await person.click(await grid().findByText('Tabs'));
  await grid().findByText('Wiki');
  expect(answers.asked(listTeamPosts)[0]?.query.channelId).toBe('c1');
  expect(answers.asked(listTeamFiles)[0]?.query).toMatchObject({ channelId: 'c1', parentId: 'Root' });

  await person.click(crumbs().getByRole('button', { name: 'Teams' }));
  await person.click(await grid().findByText('Ada (chats)'));
  await person.click(await grid().findByText('Lunch'));
  await grid().findByText('(no text)');
  await person.click(await grid().findByText('Soup at noon'));
  const panel = within(await page.findByRole('complementary', { name: 'Soup at noon' }));
  const said = within(await panel.findByRole('region', { name: 'Conversation' }));
  const frame = await said.findByTitle('Conversation: 1 message');
  expect(frame.getAttribute('sandbox')).toBe('');
  expect(frame.getAttribute('srcdoc')).toContain('<b>Bo &lt;b></b>');
  expect(frame.getAttribute('srcdoc')).toContain('<pre>Soup &lt;i></pre>');
  await person.click(said.getByRole('button', { name: 'Show more' }));
  await said.findByTitle('Conversation: 2 messages');
  expect(answers.asked(listThread).at(-1)?.query).toMatchObject({ objectId: 'u1-chats', after: 'later' });
  expect(panel.getByRole('button', { name: 'Restore item…' })).toHaveProperty('disabled', true);
  panel.getByText(/lets no application write messages back into a chat/);
  await person.click(page.getByRole('checkbox', { name: 'Select Soup at noon' }));
  const tray = within(page.getByRole('region', { name: 'Selection' }));
  expect(tray.getByRole('button', { name: 'Restore…' })).toHaveProperty('disabled', true);
  tray.getByText('1 entry is not restored.');
  await person.click(tray.getByRole('button', { name: 'Download…' }));
  await page.findByText(/^1 item · about 20 B/);
  expect(answers.asked(weighChats)[0]?.body).toEqual({ messages: [{ id: '19:a/messages/1' }] });
});

test('lists folders before the documents of a OneDrive, with their earlier versions', async () => {
  const folder = {
    id: 'f1',
    name: 'Offers',
    oneDriveId: 'o1',
    parentId: null,
    isFolder: true as const,
    createdBy: null,
    creationTime: null,
    modificationTime: null,
    isDeleted: true,
  };
  const answers = answersWith()
    .on(listRestoreDrives, onePage([{ id: 'o1', name: 'Ada', url: null, backupTime, isDeleted: false }]))
    .on(listDriveFolders, ({ query }) => onePage(query.parentId === 'Root' ? [folder] : []))
    .on(listDriveDocuments, ({ query }) => onePage(query.parentId === 'Root' ? [document] : []));
  const { page, person } = openPortal({ path: '/o365/onedrive', user, answers });
  const grid = () => within(page.getByRole('grid'));
  await person.click(await within(await page.findByRole('grid', { name: 'OneDrives' })).findByText('Ada'));
  await grid().findByText('Plan.docx');
  const rows = grid()
    .getAllByRole('row')
    .map((row) => row.textContent ?? '');
  expect(rows.findIndex((text) => text.includes('Offers'))).toBeLessThan(
    rows.findIndex((text) => text.includes('Plan.docx')),
  );
  grid().getByText('2 earlier versions');
  grid().getByText('deleted');
});

test('hides the explorers that the brand does not have', async () => {
  const branding = buildBranding();
  const restorePortal = { outlook: true, onedrive: false, sharepoint: true, teams: true };
  const features = { ...branding.features, office365: { selfRegistration: { termsOfUse: null }, restorePortal } };
  const { page } = openPortal({
    path: '/o365/sharepoint',
    user,
    answers: siteAnswers(),
    branding: { ...branding, features },
  });
  await page.findByRole('grid', { name: 'Sites' });
  page.getByRole('link', { name: 'Outlook' });
  expect(page.queryByRole('link', { name: 'OneDrive' })).toBeNull();
});
