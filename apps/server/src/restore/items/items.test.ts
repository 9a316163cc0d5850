import { createHash } from 'node:crypto';
import {
  downloadChats,
  listChatMessages,
  listChatPeople,
  listChats,
  weighChats,
} from '@keepwatch/contract/restore/chats';
import { listDriveDocuments, listRestoreDrives, restoreDriveDocument } from '@keepwatch/contract/restore/drives';
import { restoreOptions } from '@keepwatch/contract/restore/explorer';
import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { downloadItemPart, previewItem, showItemPicture } from '@keepwatch/contract/restore/previews';
import {
  listRestorePoints,
  openRestoreSession,
  readRestoreOperation,
  type SessionType,
} from '@keepwatch/contract/restore/sessions';
import { listRestoreSites, listSiteContent, listSiteItems } from '@keepwatch/contract/restore/sites';
import {
  downloadTeamPosts,
  listRestoreTeams,
  listTeamChannels,
  listTeamPosts,
} from '@keepwatch/contract/restore/teams';
import { listThread } from '@keepwatch/contract/restore/threads';
import { compareRestorePoints, listItemVersions } from '@keepwatch/contract/restore/versions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import type { Caller } from '../../testing/test-portal.ts';
import { bytesOf, zipTexts } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';

let bed: RestoreBed;
let caller: Caller;
/** When the restore points were made, oldest first. */
let points: string[];
let onedriveId: string;
/** Those that change between the second and the third restore point. */
let siteId: string;
let teamId: string;
let channelId: string;

/** A drive of which a file changes, one vanishes and one appears between its second and third restore point. */
beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['mailbox', 'drive', 'site', 'team', 'chats'], users: 3, sites: 2 });
  caller = await bed.asAdministrator();
  onedriveId = await aDrive();
  await put('notes.txt', 'first line\nsecond line\n');
  await put('logo.png', PNG);
  await put('evil.png', SVG);
  await bed.backUp();
  await put('notes.txt', 'first line\nanother line\n');
  await put('new.txt', 'new');
  await bed.connection.ask({ method: 'DELETE', path: `/drives/${onedriveId}/root:/logo.png:` });
  await changeSiteAndTeam();
  await bed.backUp();
  const query = { organizationId: bed.organization.id, limit: 10 };
  points = (await caller.call(listRestorePoints, { query })).data.map(({ backupTime }) => backupTime).toReversed();
}, 120_000);
afterAll(() => bed.stop());

/** A document appears in a library of a site, and a tab vanishes from a channel of a team. */
async function changeSiteAndTeam(): Promise<void> {
  const idOf = (one: Readonly<Record<string, unknown>> | undefined) => String(one?.['id']);
  const listOf = async (path: string) => (await bed.connection.page({ path })).value;
  const sites = (await listOf('/sites/getAllSites')).filter((site) => String(site['webUrl']).includes('/sites/'));
  siteId = idOf(sites[0]);
  const path = `/sites/${siteId}/drive/root:/Minutes.txt:/content`;
  await bed.connection.ask({ method: 'PUT', path, body: Buffer.from('of the meeting') });
  teamId = idOf((await listOf('/teams'))[0]);
  for (const channel of await listOf(`/teams/${teamId}/channels`)) {
    const tabs = `/teams/${teamId}/channels/${encodeURIComponent(idOf(channel))}/tabs`;
    const [tab] = await listOf(tabs);
    if (tab === undefined) continue;
    channelId = idOf(channel);
    await bed.connection.ask({ method: 'DELETE', path: `${tabs}/${idOf(tab)}` });
    return;
  }
}

async function openOf(sessionType: SessionType, at?: string, by: Caller = caller): Promise<string> {
  const { id: organizationId, companyId } = bed.organization;
  const datetime = at ?? new Date(Date.now() + 60_000).toISOString();
  const body = { companyId, organizationId, datetime, sessionType };
  return (await by.call(openRestoreSession, { body })).data.id;
}

async function aDrive(): Promise<string> {
  const params = { restoreSessionId: await openOf('veod') };
  const [drive] = (await caller.call(listRestoreDrives, { params })).data.results;
  return drive?.id ?? '';
}

const put = (name: string, body: Buffer | string) =>
  bed.connection.ask({ method: 'PUT', path: `/drives/${onedriveId}/root:/${name}:/content`, body: Buffer.from(body) });

/** A file of the drive in a session. */
async function fileIn(restoreSessionId: string, name: string) {
  const params = { restoreSessionId, onedriveId };
  const query = { parentId: 'Root', limit: 1_000 };
  const found = (await caller.call(listDriveDocuments, { params, query })).data.results.find(
    (one) => one.name === name,
  );
  if (found === undefined) throw new Error(`${name} was not backed up.`);
  return { objectId: onedriveId, itemId: found.id };
}

const auditOf = (action: string) =>
  rows<{ after: Record<string, unknown> | null }>(
    bed.services.database,
    sql`select after from audit_entries where user_id = ${caller.userId} and action = ${action} order by at`,
  );

describe('a file', () => {
  it('is previewed as text with its hash, and the look is in the audit log', async () => {
    const params = { restoreSessionId: await openOf('veod') };
    const query = await fileIn(params.restoreSessionId, 'notes.txt');
    const { data } = await caller.call(previewItem, { params, query });
    const text = 'first line\nanother line\n';
    expect(data).toMatchObject({ name: 'notes.txt', text, html: null, picture: null, isCut: false });
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(data.facts).toContainEqual({ name: 'SHA-256', value: sha256, type: 'text' });
    expect((await auditOf('restore.preview')).at(-1)?.after).toMatchObject({ item: 'notes.txt' });
  });

  it('that is a picture comes as one, of a type that cannot run and that no browser guesses', async () => {
    const params = { restoreSessionId: await openOf('veod', points[1]) };
    const query = await fileIn(params.restoreSessionId, 'logo.png');
    const { picture } = (await caller.call(previewItem, { params, query })).data;
    const response = await caller.send(showItemPicture, { params, query: { ...query, part: picture ?? '' } });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("object-src 'none'");
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
    expect((await auditOf('restore.preview')).at(-1)?.after).toMatchObject({ item: 'logo.png', part: 'file' });
  });

  it('that only calls itself a picture is text, and is given out as bytes to be saved alone', async () => {
    const params = { restoreSessionId: await openOf('veod') };
    const query = await fileIn(params.restoreSessionId, 'evil.png');
    expect((await caller.call(previewItem, { params, query })).data).toMatchObject({ picture: null, text: SVG });
    const asked = { params, query: { ...query, part: 'file' } };
    expect((await caller.send(showItemPicture, asked)).status).toBe(409);
    const saved = await caller.send(downloadItemPart, asked);
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="evil.png"');
    expect(await saved.text()).toBe(SVG);
    expect((await auditOf('restore.download')).at(-1)?.after).toMatchObject({ item: 'evil.png', part: 'file' });
    const missing = { params, query: { ...query, part: 'attachment/9' } };
    expect((await caller.send(downloadItemPart, missing)).status).toBe(404);
  });

  it('has its versions with the restore points that have them, and each is previewed', async () => {
    const params = { restoreSessionId: await openOf('veod') };
    const query = await fileIn(params.restoreSessionId, 'notes.txt');
    const { data, restorePoints, firstBackupTime, lastBackupTime } = await caller.call(listItemVersions, {
      params,
      query,
    });
    expect([restorePoints, firstBackupTime, lastBackupTime]).toEqual([3, points[0], points[2]]);
    expect(data).toMatchObject([
      { name: 'notes.txt', firstBackupTime: points[2], restorePoints: 1, isShown: true, isCurrent: true },
      { name: 'notes.txt', firstBackupTime: points[1], lastBackupTime: points[1], isShown: false, isCurrent: false },
    ]);
    const earlier = { ...query, version: data[1]?.version ?? 0 };
    expect((await caller.call(previewItem, { params, query: earlier })).data.text).toBe('first line\nsecond line\n');
    const wrong = { ...query, version: 99_999 };
    expect((await caller.send(previewItem, { params, query: wrong })).status).toBe(404);
  });
});

describe('what else is in a backup', () => {
  it('is previewed with the addresses of its people: a message', async () => {
    const params = { restoreSessionId: await openOf('vex') };
    const query = { types: ['message' as const], limit: 1 };
    const [hit] = (await caller.call(searchRestoreSession, { params, query })).data;
    const place = { objectId: hit?.objectId ?? '', itemId: hit?.id ?? '' };
    const { from, recipients } = (await caller.call(previewItem, { params, query: place })).data;
    expect([from?.address, recipients[0]?.address]).toEqual([
      expect.stringContaining('@'),
      expect.stringContaining('@'),
    ]);
  });

  it('is previewed as a card: a post with its author and text, a row with its columns', async () => {
    const inTeams = { restoreSessionId: await openOf('vet') };
    const [team] = (await caller.call(listRestoreTeams, { params: inTeams })).data.results;
    const teamParams = { ...inTeams, teamId: team?.id ?? '' };
    const [channel] = (await caller.call(listTeamChannels, { params: teamParams })).data.results;
    const query = { channelId: channel?.id ?? '' };
    const [post] = (await caller.call(listTeamPosts, { params: teamParams, query })).data.results;
    const card = { objectId: teamParams.teamId, itemId: post?.id ?? '' };
    const shown = (await caller.call(previewItem, { params: inTeams, query: card })).data;
    expect(shown).toMatchObject({
      type: expect.stringMatching(/^(post|reply)$/),
      from: { name: post?.author },
      sentAt: post?.createdTime,
    });
    expect(shown.html ?? shown.text).toBeTruthy();
    expect((await aRow())?.facts.length).toBeGreaterThan(2);
  });

  async function aRow() {
    const restoreSessionId = await openOf('vesp');
    const params = { restoreSessionId };
    const sites = (await caller.call(listRestoreSites, { params, query: { limit: 50 } })).data.results;
    for (const { id: siteId } of sites)
      for (const node of (
        await caller.call(listSiteContent, { params: { ...params, siteId }, query: { parentId: `${siteId}-content` } })
      ).data) {
        if (node.type !== 'list') continue;
        const listed = { params: { ...params, siteId }, query: { parentId: node.id, limit: 1 } };
        const [row] = (await caller.call(listSiteItems, listed)).data.results;
        if (row === undefined) continue;
        return (await caller.call(previewItem, { params, query: { objectId: siteId, itemId: row.id } })).data;
      }
    return null;
  }
});

describe('a conversation', () => {
  async function aPostWithReplies() {
    const params = { restoreSessionId: await openOf('vet') };
    for (const { id: teamId } of (await caller.call(listRestoreTeams, { params })).data.results)
      for (const { id: channelId } of (await caller.call(listTeamChannels, { params: { ...params, teamId } })).data
        .results) {
        const query = { channelId, limit: 1_000 };
        const posts = (await caller.call(listTeamPosts, { params: { ...params, teamId }, query })).data.results;
        const repliesOf = (id: string) => posts.filter(({ parentId }) => parentId === id).toReversed();
        const post = posts.find(({ id }) => repliesOf(id).length > 1);
        if (post !== undefined) return { params, teamId, channelId, post, replies: repliesOf(post.id) };
      }
    throw new Error('No post of the tenant has two replies.');
  }

  it('is a post with its replies in the order of time, a page at a time, from the post and from a reply', async () => {
    const { params, teamId, post, replies } = await aPostWithReplies();
    const query = { objectId: teamId, itemId: post.id };
    const { data, _next } = await caller.call(listThread, { params, query });
    expect(_next).toBeNull();
    expect(data.map(({ id }) => id)).toEqual([post.id, ...replies.map(({ id }) => id)]);
    expect(data.map(({ from }) => from?.name)).toEqual([post, ...replies].map(({ author }) => author));
    expect(data.every(({ html, text }) => (html ?? text ?? '') !== '')).toBe(true);
    expect((await auditOf('restore.preview')).at(-1)?.after).toMatchObject({ conversationOf: post.subject });
    const last = replies.at(-1)?.id ?? '';
    const pages: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page = { objectId: teamId, itemId: last, limit: 2, ...(after === '' ? {} : { after }) };
      const read: Awaited<ReturnType<typeof caller.call<typeof listThread>>> = await caller.call(listThread, {
        params,
        query: page,
      });
      expect(read.data.length).toBeLessThanOrEqual(2);
      pages.push(...read.data.map(({ id }) => id));
      after = read._next;
    }
    expect(pages).toEqual([post, ...replies].map(({ id }) => id));
    const cut = { ...query, after: 'x' };
    expect((await caller.send(listThread, { params, query: cut })).status).toBe(409);
  });

  it('of a channel is saved as pages, also one post with its replies alone', async () => {
    const { params, teamId, post, replies } = await aPostWithReplies();
    const body = { posts: [{ id: post.id }] };
    const zip = await caller.send(downloadTeamPosts, { params: { ...params, teamId }, body });
    const page = zipTexts(await bytesOf(zip)).get('channel-1.html') ?? '';
    expect(page.split('<article>')).toHaveLength(replies.length + 2);
  });

  it('is a chat of a person, which is listed, found, looked at with what was said around, and saved', async () => {
    const params = { restoreSessionId: await openOf('vet') };
    const people = (await caller.call(listChatPeople, { params })).data.results;
    expect(people.length).toBeGreaterThan(0);
    const [person] = people;
    const personId = person?.id ?? '';
    const ofPerson = { ...params, personId };
    const chats = (await caller.call(listChats, { params: ofPerson })).data.results;
    const chat = chats.find(({ members }) => members.length > 1);
    const query = { chatId: chat?.id ?? '', limit: 1_000 };
    // Also where a later page is asked for first: what it shows was opened.
    await caller.call(listChatMessages, { params: ofPerson, query: { ...query, limit: 1, offset: 1 } });
    const messages = (await caller.call(listChatMessages, { params: ofPerson, query })).data.results;
    const looks = (await auditOf('restore.browse')).filter(({ after }) => after?.['chat'] === chat?.id);
    expect(looks.map(({ after }) => after)).toMatchObject([{ chatsOf: person?.displayName, chat: chat?.id }]);
    expect(messages.length).toBeGreaterThan(2);
    const middle = messages[Math.floor(messages.length / 2)];
    const place = { objectId: personId, itemId: middle?.id ?? '' };
    const shown = (await caller.call(previewItem, { params, query: place })).data;
    expect(shown).toMatchObject({ type: 'chat-message', from: { name: middle?.author } });
    const around = (await caller.call(listThread, { params, query: { ...place, limit: 50 } })).data;
    const inOrder = messages.map(({ id }) => id).toReversed();
    const at = inOrder.indexOf(middle?.id ?? '');
    expect(around.map(({ id }) => id)).toEqual(inOrder.slice(Math.max(0, at - 10), at + 50));
    const words = { types: ['chat-message' as const], objectId: personId, limit: 1_000 };
    const hits = (await caller.call(searchRestoreSession, { params, query: words })).data;
    expect(
      hits
        .filter(({ parentId }) => parentId === chat?.id)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(inOrder.toSorted());
    expect([...new Set(hits.map(({ objectId }) => objectId))]).toEqual([personId]);
    const body = { chats: [{ id: chat?.id ?? '' }] };
    expect((await caller.call(weighChats, { params: ofPerson, body })).data.items).toBeGreaterThanOrEqual(
      messages.length,
    );
    const zip = await caller.send(downloadChats, { params: ofPerson, body });
    expect(zip.headers.get('content-type')).toBe('application/zip');
    const pages = [...zipTexts(await bytesOf(zip))]
      .filter(([name]) => name.startsWith('chat-'))
      .map(([, text]) => text);
    expect(pages.join('').split('<article>')).toHaveLength(messages.length + 1);
    const missing = { ...params, personId: 'unknown-chats' };
    expect((await caller.send(listChats, { params: missing })).status).toBe(404);
    // An id of a person alone means their team, mailbox or the like elsewhere.
    const bare = { ...params, personId: personId.replace('-chats', '') };
    expect((await caller.send(listChats, { params: bare })).status).toBe(404);
  });
});

describe('two restore points', () => {
  it('are compared: what appeared, changed and vanished, a page at a time', async () => {
    const params = { restoreSessionId: await openOf('veod', points[2]) };
    const query = { otherSessionId: await openOf('veod', points[1]), objectId: onedriveId };
    const { data, _next } = await caller.call(compareRestorePoints, { params, query: { ...query, limit: 100 } });
    expect(_next).toBeNull();
    expect(data.map(({ change, name }) => [change, name]).toSorted()).toEqual([
      ['appeared', 'new.txt'],
      ['changed', 'notes.txt'],
      ['vanished', 'logo.png'],
    ]);
    expect(data.find(({ change }) => change === 'changed')).toMatchObject({
      sizeBytes: 24,
      before: { name: 'notes.txt', sizeBytes: 23 },
    });
    const vanished = { ...query, change: 'vanished' as const };
    expect((await caller.call(compareRestorePoints, { params, query: vanished })).data).toHaveLength(1);
    const first = await caller.call(compareRestorePoints, { params, query: { ...query, limit: 1 } });
    const second = { ...query, limit: 100, after: first._next ?? '' };
    expect((await caller.call(compareRestorePoints, { params, query: second })).data).toHaveLength(2);
  });

  it('are compared wherever a list is: what is at the top, a site and its nodes, a team, a channel and its posts, tabs and files', async () => {
    const changesOf = async (type: SessionType) => {
      const params = { restoreSessionId: await openOf(type, points[2]) };
      const otherSessionId = await openOf(type, points[1]);
      return async (
        place: { objectId?: string; parentId?: string; types?: ('post' | 'reply' | 'tab' | 'file')[] } = {},
      ) => {
        const query = { otherSessionId, limit: 1_000, ...place };
        const { data } = await caller.call(compareRestorePoints, { params, query });
        return data.map(({ change, type: what, name }) => `${change} ${what} ${name}`);
      };
    };
    const drives = await (await changesOf('veod'))();
    expect(drives).toEqual([expect.stringMatching(/^changed onedrive /)]);
    const mail = await changesOf('vex');
    expect(await mail()).toEqual([]);

    const inSites = await changesOf('vesp');
    const document = ['appeared file Minutes.txt'];
    expect(await inSites()).toEqual([expect.stringMatching(/^changed site /)]);
    expect(await inSites({ objectId: siteId })).toEqual(document);
    expect(await inSites({ objectId: siteId, parentId: `${siteId}-content` })).toEqual(document);
    expect(await inSites({ objectId: siteId, parentId: `${siteId}-subsites` })).toEqual([]);
    expect(await inSites({ objectId: siteId, parentId: `${siteId}-pages` })).toEqual([]);

    const inTeams = await changesOf('vet');
    const tab = [expect.stringMatching(/^vanished tab /)];
    expect(await inTeams()).toContainEqual(expect.stringMatching(/^changed team /));
    expect(await inTeams({ objectId: teamId })).toEqual(expect.arrayContaining(tab));
    const channel = { objectId: teamId, parentId: channelId };
    expect(await inTeams(channel)).toEqual(tab);
    expect(await inTeams({ ...channel, types: ['tab'] })).toEqual(tab);
    expect(await inTeams({ ...channel, types: ['post', 'reply'] })).toEqual([]);
    expect(await inTeams({ ...channel, types: ['file'] })).toEqual([]);
  });

  it('of another user are not compared, nor a folder that never was', async () => {
    const other = await bed.as('o365_admin');
    const params = { restoreSessionId: await openOf('veod') };
    const foreign = { otherSessionId: await openOf('veod', undefined, other), objectId: onedriveId };
    expect((await caller.send(compareRestorePoints, { params, query: foreign })).status).toBe(404);
    const query = { otherSessionId: await openOf('veod', points[1]), objectId: 'nothing' };
    expect((await caller.send(compareRestorePoints, { params, query })).status).toBe(404);
  });
});

describe('an item that is gone', () => {
  it('comes back from a session that shows deleted items, and an earlier version from the restore point that has it', async () => {
    const earlier = await openOf('veod', points[1]);
    const gone = await fileIn(earlier, 'logo.png');
    const restored = async (restoreSessionId: string, id: string, options = {}) => {
      const body = { documents: [{ id }], options: restoreOptions.parse(options) };
      const params = { restoreSessionId, onedriveId };
      const operationId = (await caller.call(restoreDriveDocument, { params, body })).data.id;
      await bed.work();
      return (await caller.call(readRestoreOperation, { params: { operationId } })).data;
    };
    const { id: organizationId, companyId } = bed.organization;
    const body = { companyId, organizationId, datetime: points[2] ?? '', sessionType: 'veod' as const };
    const opened = await caller.call(openRestoreSession, { body: { ...body, showDeleted: true } });
    expect(await restored(opened.data.id, gone.itemId)).toMatchObject({ state: 'Success', restored: 1, failed: 0 });
    const notes = await fileIn(earlier, 'notes.txt');
    const replaced = await restored(earlier, notes.itemId, { conflict: 'replace', documentVersion: 'Last' });
    expect(replaced).toMatchObject({ state: 'Success', replaced: 1, failed: 0 });
    const bytes = await bed.connection.askBytes({ path: `/drives/${onedriveId}/root:/notes.txt:/content` });
    expect(bytes.toString()).toBe('first line\nsecond line\n');
  });
});

describe('a search', () => {
  it('looks into one folder alone, and into a site with its libraries', async () => {
    const params = { restoreSessionId: await openOf('veod') };
    const all = (await caller.call(searchRestoreSession, { params, query: { objectId: onedriveId, limit: 500 } })).data;
    const parentId = all.find((one) => one.parentId !== null)?.parentId ?? '';
    const query = { objectId: onedriveId, parentId, limit: 500 };
    const within = (await caller.call(searchRestoreSession, { params, query })).data;
    expect(within.length).toBeGreaterThan(0);
    expect(within.length).toBeLessThan(all.length);
    const direct = all.filter((one) => one.parentId === parentId).map(({ id }) => id);
    expect(within.map(({ id }) => id)).toEqual(expect.arrayContaining(direct));
    const inSites = { restoreSessionId: await openOf('vesp') };
    const [document] = (
      await caller.call(searchRestoreSession, { params: inSites, query: { types: ['file'], limit: 1 } })
    ).data;
    const site = { objectId: document?.objectId ?? '', types: ['file' as const], limit: 500 };
    const documents = (await caller.call(searchRestoreSession, { params: inSites, query: site })).data;
    expect(documents.map(({ id }) => id)).toContain(document?.id);
  });

  it('finds what is no longer there, with when it was there last, and by what it is', async () => {
    const params = { restoreSessionId: await openOf('veod') };
    const query = { text: 'logo', allTime: true, deletedOnly: true };
    const { data } = await caller.call(searchRestoreSession, { params, query });
    expect(data).toMatchObject([{ name: 'logo.png', type: 'file', endedAt: expect.any(String) }]);
    const alive = { text: 'notes', allTime: true, limit: 100 };
    const notes = (await caller.call(searchRestoreSession, { params, query: alive })).data;
    expect(notes.find(({ name }) => name === 'notes.txt')).toMatchObject({ endedAt: null });
    const rest = { ...alive, deletedOnly: true };
    expect((await caller.call(searchRestoreSession, { params, query: rest })).data).toEqual([]);
    const mail = { params: { restoreSessionId: await openOf('vex') }, query: { types: ['event' as const], limit: 5 } };
    const events = (await caller.call(searchRestoreSession, mail)).data;
    expect([...new Set(events.map(({ type }) => type))]).toEqual(['event']);
    const none = { ...mail, query: { types: ['file' as const] } };
    expect((await caller.call(searchRestoreSession, none)).data).toEqual([]);
  });

  it('goes on where a page ended, which says nothing of what comes next and is of that session alone', async () => {
    const params = { restoreSessionId: await openOf('vex') };
    const search = { types: ['message' as const], allTime: true, limit: 3 };
    const first = await caller.call(searchRestoreSession, { params, query: search });
    const after = first._next ?? '';
    const next = await caller.call(searchRestoreSession, { params, query: { ...search, after } });
    const ids = [...first.data, ...next.data].map(({ objectId, id }) => `${objectId} ${id}`);
    expect(new Set(ids).size).toBe(6);
    const readable = Buffer.from(after, 'base64url').toString('latin1');
    expect(readable).not.toMatch(/\d{4}-\d\d-\d\d/);
    const other = { restoreSessionId: await openOf('vex') };
    for (const asked of [
      { params: other, query: { ...search, after } },
      { params, query: { ...search, after: '0 1' } },
    ]) {
      const refused = await caller.send(searchRestoreSession, asked);
      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({ errors: [{ path: 'query.after' }] });
    }
  });
});
