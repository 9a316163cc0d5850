import { listRestoreOperationItems } from '@keepwatch/contract/restore/sessions';
import {
  downloadTeamFiles,
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamTabs,
  restoreTeamFiles,
  restoreTeamTabs,
  restoreWholeTeam,
  type TeamChannel,
  type TeamFile,
} from '@keepwatch/contract/restore/teams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { endOf, openSessionOf, successOf } from '../testing/bed-session.ts';
import { bytesOf, zipFiles } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { allOf, filesBelow, inPath } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
let params: { restoreSessionId: string; teamId: string };
let channels: TeamChannel[];
/** What is at the top of the libraries of the team. */
let entries: TeamFile[];
let driveId: string;
/** What the library of the team had when it was backed up. */
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['drive', 'team'], users: 0, sites: 1 });
  caller = await bed.asAdministrator();
  const restoreSessionId = await openSessionOf(bed, caller, 'vet');
  const [team] = (await caller.call(listRestoreTeams, { params: { restoreSessionId } })).data.results;
  params = { restoreSessionId, teamId: team?.id ?? '' };
  channels = (await caller.call(listTeamChannels, { params, query: { limit: 50 } })).data.results;
  entries = (await caller.call(listTeamFiles, { params, query: { limit: 100 } })).data.results;
  driveId = String((await bed.connection.ask({ path: `/groups/${params.teamId}/drive` }))['id']);
  before = await filesBelow(bed, driveId);
});
afterAll(() => bed.stop());

const ofLibrary = (fileType: TeamFile['fileType']) =>
  entries.filter((one) => one.fileType === fileType && one.id.startsWith(`${driveId}:`));
/** By its name: what came back before has another id. */
const remove = ({ name }: TeamFile) =>
  bed.connection.ask({ method: 'DELETE', path: `/drives/${driveId}/root:/${encodeURIComponent(name)}:` });
const channelPath = (channelId: string) => `/teams/${params.teamId}/channels/${encodeURIComponent(channelId)}`;

it('files and folders of a team are a ZIP of the bytes that the tenant has', async () => {
  const [file] = ofLibrary('File');
  const folder = ofLibrary('Folder').find(({ name }) => inPath(before, name).size > 0);
  const body = { files: [{ id: file?.id ?? '' }, { id: folder?.id ?? '' }] };
  const files = zipFiles(await bytesOf(await caller.send(downloadTeamFiles, { params, body })));
  const expected = [before.get(file?.name ?? ''), ...inPath(before, folder?.name ?? '').values()];
  expect([...files.values()].toSorted()).toEqual(expected.toSorted());
});

it('files and folders that were deleted come back, also into a folder of their own', async () => {
  const [file] = ofLibrary('File');
  const folder = ofLibrary('Folder').find(({ name }) => inPath(before, name).size > 0);
  const body = { files: [file, folder].map((one) => ({ id: one?.id ?? '' })) };
  for (const one of [file, folder]) if (one !== undefined) await remove(one);
  await successOf(bed, caller, await caller.call(restoreTeamFiles, { params, body }));
  expect(await filesBelow(bed, driveId)).toEqual(before);
  const into = { ...body, options: { folder: 'Once more' } };
  await successOf(bed, caller, await caller.call(restoreTeamFiles, { params, body: into }));
  const copies = inPath(await filesBelow(bed, driveId), 'Once more');
  expect(copies.get(file?.name ?? '')).toBe(before.get(file?.name ?? ''));
  expect(inPath(copies, folder?.name ?? '')).toEqual(inPath(before, folder?.name ?? ''));
});

it('a tab that was deleted comes back in its channel', async () => {
  const [channel] = channels.filter(({ type }) => type === 'standard');
  const inChannel = { ...params, channelId: channel?.id ?? '' };
  const tabs = (await caller.call(listTeamTabs, { params: inChannel })).data.results;
  const path = `${channelPath(inChannel.channelId)}/tabs`;
  const named = async () => (await allOf(bed, path)).map(({ displayName }) => String(displayName)).toSorted();
  const there = await named();
  const lost = (await allOf(bed, path)).find(({ displayName }) => displayName === tabs[0]?.displayName);
  await bed.connection.ask({ method: 'DELETE', path: `${path}/${lost?.['id']}` });
  expect(await named()).toHaveLength(there.length - 1);
  const body = { tabs: [{ id: tabs[0]?.id ?? '' }] };
  const begun = await caller.call(restoreTeamTabs, { params: inChannel, body });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: 1 });
  expect(await named()).toEqual(there);
});

it('a team comes back with the channel, the posts and the files that were deleted', async () => {
  const channel = channels.find(({ type, displayName }) => type === 'standard' && displayName !== 'General');
  const posts = async (channelId: string) =>
    (await allOf(bed, `${channelPath(channelId)}/messages`)).filter(({ messageType }) => messageType === 'message');
  const said = (await posts(channel?.id ?? '')).map(({ id }) => String(id));
  await bed.connection.ask({ method: 'DELETE', path: channelPath(channel?.id ?? '') });
  const [file] = ofLibrary('File');
  if (file !== undefined) await remove(file);
  await successOf(bed, caller, await caller.call(restoreWholeTeam, { params, body: {} }));
  const now = await allOf(bed, `/teams/${params.teamId}/channels`);
  const made = now.find(({ displayName }) => displayName === channel?.displayName);
  const saidAgain = (await posts(String(made?.['id']))).map(({ id }) => String(id));
  expect(saidAgain.toSorted()).toEqual(said.toSorted());
  expect((await filesBelow(bed, driveId)).get(file?.name ?? '')).toBe(before.get(file?.name ?? ''));
});

it('a restore of several libraries names every failure of each, and is no Success', async () => {
  const { tenant } = bed;
  tenant.setFaults([{ kind: 'server-error', method: 'POST', path: '/teams/*/channels*', parameters: { status: 403 } }]);
  const begun = await caller.call(restoreWholeTeam, { params, body: { options: { folder: 'Refused' } } });
  const end = await endOf(bed, caller, begun);
  tenant.setFaults([]);
  expect(end.state).toBe('Warning');
  expect(end.failed).toBeGreaterThan(0);
  const query = { outcome: 'failed', limit: 1_000 };
  const named = await caller.call(listRestoreOperationItems, { params: { operationId: end.id }, query });
  expect(named.count).toBe(end.failed);
});
