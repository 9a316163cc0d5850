import {
  downloadDriveFolder,
  listDriveDocuments,
  listDriveFolders,
  listRestoreDrives,
  restoreDriveDocument,
} from '@keepwatch/contract/restore/drives';
import { openRestoreSession, readRestoreOperation, type SessionType } from '@keepwatch/contract/restore/sessions';
import {
  listRestoreSites,
  listSiteContent,
  listSiteDocuments,
  listSiteItems,
  restoreSiteDocumentsToOriginal,
  restoreSiteItemsToOriginal,
  weighSite,
} from '@keepwatch/contract/restore/sites';
import {
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamPosts,
  listTeamTabs,
  restoreTeamChannel,
  type TeamPost,
} from '@keepwatch/contract/restore/teams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../testing/test-portal.ts';
import { type RestoreBed, startRestoreBed } from './testing/restore-bed.ts';

let bed: RestoreBed;
let caller: Caller;
beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['drive', 'site', 'team'], users: 2, sites: 3 });
  caller = await bed.asAdministrator();
});
afterAll(() => bed.stop());

async function openOf(sessionType: SessionType): Promise<string> {
  const { id: organizationId, companyId } = bed.organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  return (await caller.call(openRestoreSession, { body: { companyId, organizationId, datetime, sessionType } })).data
    .id;
}

const ended = async (operationId: string) => {
  await bed.work();
  return (await caller.call(readRestoreOperation, { params: { operationId } })).data;
};

async function aDrive() {
  const restoreSessionId = await openOf('veod');
  const drives = (await caller.call(listRestoreDrives, { params: { restoreSessionId } })).data.results;
  for (const { id: onedriveId } of drives) {
    const params = { restoreSessionId, onedriveId };
    const query = { parentId: 'Root', limit: 100 };
    const [documents, folders] = [
      (await caller.call(listDriveDocuments, { params, query })).data.results,
      (await caller.call(listDriveFolders, { params, query })).data.results,
    ];
    if (documents.length > 0 && folders.length > 0) return { params, documents, folders };
  }
  throw new Error('No drive has files and folders at its top.');
}

describe('a OneDrive', () => {
  it('is listed, a deleted file comes back, and a folder comes as ZIP with its length', async () => {
    const { params, documents, folders } = await aDrive();
    const [lost] = documents;
    await bed.connection.ask({ method: 'DELETE', path: `/drives/${params.onedriveId}/items/${lost?.id}` });
    const body = { documents: [{ id: lost?.id ?? '' }], options: { documentVersion: 'Last' as const } };
    const { data } = await caller.call(restoreDriveDocument, { params, body });
    expect(await ended(data.id)).toMatchObject({ state: 'Success', restored: 1, failed: 0 });
    const chosen = { folders: folders.slice(0, 1).map(({ id }) => ({ id })), fileName: 'Files' };
    const zip = await caller.send(downloadDriveFolder, { params, body: chosen });
    expect(zip.headers.get('content-disposition')).toContain('Files.zip');
    const bytes = Buffer.from(await zip.arrayBuffer());
    expect(bytes.length).toBe(Number(zip.headers.get('content-length')));
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
  });

  it('of a library is not found here, nor is a file that never was', async () => {
    const { params } = await aDrive();
    const missing = { ...params, onedriveId: 'b!nothing' };
    expect((await caller.send(listDriveFolders, { params: missing })).status).toBe(404);
    const body = { documents: [{ id: 'nothing' }] };
    expect((await caller.send(restoreDriveDocument, { params, body })).status).toBe(404);
  });
});

describe('a team', () => {
  it('has channels with posts, tabs and files, and a channel is restored', async () => {
    const restoreSessionId = await openOf('vet');
    const [team] = (await caller.call(listRestoreTeams, { params: { restoreSessionId } })).data.results;
    const params = { restoreSessionId, teamId: team?.id ?? '' };
    const channels = (await caller.call(listTeamChannels, { params })).data.results;
    expect(channels.length).toBeGreaterThan(0);
    const posts: TeamPost[] = [];
    for (const { id: channelId } of channels) {
      await caller.call(listTeamTabs, { params: { ...params, channelId } });
      const found = (await caller.call(listTeamPosts, { params, query: { channelId, limit: 100 } })).data.results;
      posts.push(...found);
    }
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.some(({ parentId }) => posts.some(({ id }) => id === parentId))).toBe(true);
    const files = (await caller.call(listTeamFiles, { params, query: { limit: 100 } })).data.results;
    const folder = files.find(({ fileType }) => fileType === 'Folder');
    expect(folder?._links.children?.href).toContain('parentId=');
    await caller.call(listTeamFiles, { params, query: { parentId: folder?.id ?? '' } });
    const channel = { ...params, channelId: channels[0]?.id ?? '' };
    const { data } = await caller.call(restoreTeamChannel, { params: channel, body: {} });
    expect(await ended(data.id)).toMatchObject({ state: expect.stringMatching(/Success|Warning/), failed: 0 });
  });
});

describe('a site', () => {
  it('has its fixed nodes, libraries with documents and lists with rows, which are restored', async () => {
    const restoreSessionId = await openOf('vesp');
    const sites = (await caller.call(listRestoreSites, { params: { restoreSessionId }, query: { limit: 50 } })).data
      .results;
    expect(sites.length).toBeGreaterThan(0);
    const restored = { documents: 0, rows: 0 };
    for (const site of sites) {
      expect(site.children.map(({ id }) => id)).toEqual([`${site.id}-subsites`, `${site.id}-content`]);
      const params = { restoreSessionId, siteId: site.id };
      await caller.call(listRestoreSites, { params: { restoreSessionId }, query: { parentId: `${site.id}-subsites` } });
      const content = (await caller.call(listSiteContent, { params, query: { parentId: `${site.id}-content` } })).data;
      for (const { id: parentId, type } of content) {
        if (type === 'library' && restored.documents === 0) {
          const page = await caller.call(listSiteDocuments, { params, query: { parentId, limit: 1 } });
          const [document] = page.data.results;
          if (document === undefined) continue;
          const { data } = await caller.call(restoreSiteDocumentsToOriginal, {
            params,
            body: { documents: [document] },
          });
          expect(await ended(data.id)).toMatchObject({ state: 'Success', failed: 0, done: 1 });
          expect((await caller.call(weighSite, { params, body: { parentId } })).data.items).toBeGreaterThan(0);
          restored.documents += 1;
        }
        if (type === 'list' && restored.rows === 0) {
          const [row] = (await caller.call(listSiteItems, { params, query: { parentId, limit: 1 } })).data.results;
          if (row === undefined) continue;
          const { data } = await caller.call(restoreSiteItemsToOriginal, {
            params,
            body: { items: [row], listId: parentId },
          });
          expect(await ended(data.id)).toMatchObject({ failed: 0 });
          restored.rows += 1;
        }
      }
    }
    expect(restored).toEqual({ documents: 1, rows: 1 });
  });

  it('of another id is not found', async () => {
    const restoreSessionId = await openOf('vesp');
    const params = { restoreSessionId, siteId: 'nothing' };
    expect((await caller.send(listSiteContent, { params })).status).toBe(404);
  });
});
