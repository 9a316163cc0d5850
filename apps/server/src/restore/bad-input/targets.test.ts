import {
  listDriveDocuments,
  listRestoreDrives,
  restoreDriveDocument,
  restoreWholeDrive,
} from '@keepwatch/contract/restore/drives';
import { listRestoreMailboxes, restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import { listRestoreOperationItems } from '@keepwatch/contract/restore/sessions';
import {
  downloadLibrary,
  restoreLibraryToOriginal,
  restoreSiteToAnother,
  restoreSiteToOriginal,
} from '@keepwatch/contract/restore/sites';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { type BackedUpSite, backedUpSites } from '../testing/backed-up-sites.ts';
import { endOf, openSessionOf, successOf } from '../testing/bed-session.ts';
import { bytesOf, zipFiles } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { filesBelow, inPath } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
let sites: BackedUpSite[];

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['mailbox', 'drive', 'site'], usersAfter: 2, users: 2, sites: 4 });
  caller = await bed.asAdministrator();
  sites = await backedUpSites(bed, caller);
});
afterAll(() => bed.stop());
afterEach(() => {
  const { behaviours } = bed.tenant.tenant;
  Object.assign(behaviours, { readOnlySites: false, fullMailboxes: false, lockedSites: false });
});

const first = (of: readonly BackedUpSite[] = sites) => of[0] ?? expect.fail('The backup has no site of a group.');

async function aDrive() {
  const restoreSessionId = await openSessionOf(bed, caller, 'veod');
  const [drive] = (await caller.call(listRestoreDrives, { params: { restoreSessionId } })).data.results;
  return { restoreSessionId, onedriveId: drive?.id ?? '' };
}

async function aMailbox() {
  const restoreSessionId = await openSessionOf(bed, caller, 'vex');
  const { results } = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId } })).data;
  const [own, other] = results.filter(({ isArchive, isGroup }) => !isArchive && !isGroup);
  return { params: { restoreSessionId, mailboxId: own?.id ?? '' }, other: other?.id ?? '' };
}

const failuresOf = async (operationId: string) => {
  const query = { outcome: 'failed', limit: 100 };
  return (await caller.call(listRestoreOperationItems, { params: { operationId }, query })).data;
};

it('a OneDrive that is full fails, says so, and takes the rest when there is room again', async () => {
  const params = await aDrive();
  const drive = bed.tenant.tenant.drives.drive(params.onedriveId);
  const before = await filesBelow(bed, params.onedriveId);
  const { quotaTotal } = drive.facts;
  drive.facts.quotaTotal = drive.root.size;
  const body = { options: { folder: 'Once more', documentVersion: 'Last' as const } };
  const end = await endOf(bed, caller, await caller.call(restoreWholeDrive, { params, body }));
  expect(end.state).toMatch(/Failed|Warning/);
  expect(end.message).toMatch(/quotaLimitReached.*free space/);
  expect(end.notBegun).toBeGreaterThan(0);
  drive.facts.quotaTotal = quotaTotal;
  await successOf(bed, caller, await caller.call(restoreWholeDrive, { params, body }));
  expect(inPath(await filesBelow(bed, params.onedriveId), 'Once more')).toEqual(before);
});

it('a mailbox that is full fails, and says so', async () => {
  const { params, other } = await aMailbox();
  bed.tenant.tenant.behaviours.fullMailboxes = [other];
  const body = { mailbox: other, folder: 'Successor' };
  const end = await endOf(bed, caller, await caller.call(restoreMailboxToAnother, { params, body }));
  expect(end).toMatchObject({ state: 'Failed', restored: 0 });
  expect(end.message).toMatch(/ErrorQuotaExceeded.*free space/);
});

it('a site that is read-only fails, and every item says why', async () => {
  const { params, library } = first();
  bed.tenant.tenant.behaviours.readOnlySites = [params.siteId];
  const body = { libraryId: library.id, options: { folder: 'Once more' } };
  const end = await endOf(bed, caller, await caller.call(restoreLibraryToOriginal, { params, body }));
  expect(end).toMatchObject({ state: 'Failed', restored: 0 });
  const failures = await failuresOf(end.id);
  expect(failures.length).toBeGreaterThan(0);
  for (const { reason } of failures) expect(reason).toContain('It is locked');
});

it('a mailbox of a person who has no licence is no target: it says who, and what to do', async () => {
  const { params } = await aMailbox();
  const [administrator] = bed.tenant.tenant.directory.users.filter(({ mailbox }) => mailbox === null);
  const body = { mailbox: administrator?.userPrincipalName ?? '', folder: 'Successor' };
  const end = await endOf(bed, caller, await caller.call(restoreMailboxToAnother, { params, body }));
  expect(end).toMatchObject({ state: 'Failed', restored: 0 });
  expect(end.message).toMatch(/MailboxNotEnabledForRESTAPI.*give the user a mailbox/);
});

it('a site that was deleted meanwhile is named, here and as another place; its files are still in the backup', async () => {
  const [gone, other] = sites;
  const site = bed.tenant.tenant.sites.find(gone?.params.siteId ?? '');
  if (site === undefined || gone === undefined || other === undefined) throw new Error('There are no two sites.');
  const before = await filesBelow(bed, gone.library.id);
  bed.tenant.tenant.sites.remove(site, bed.tenant.tenant.nowMs());
  const end = await endOf(bed, caller, await caller.call(restoreSiteToOriginal, { params: gone.params, body: {} }));
  expect(end.state).toMatch(/Failed|Warning/);
  expect(end.message).toMatch(/site that '.+' was backed up from is not found .* any more\. Choose where it is to go/);
  const elsewhere = await caller.send(restoreSiteToAnother, { params: other.params, body: { siteURL: gone.url } });
  expect(elsewhere.status).toBe(422);
  expect(await elsewhere.json()).toMatchObject({ errors: [{ path: 'body.siteURL' }] });
  const body = { libraryId: gone.library.id };
  const zip = zipFiles(await bytesOf(await caller.send(downloadLibrary, { params: gone.params, body })));
  expect([...zip.values()].toSorted()).toEqual([...before.values()].toSorted());
  bed.tenant.tenant.sites.add(site);
});

it('an earlier version that there never was is named', async () => {
  const params = await aDrive();
  const query = { parentId: 'Root', limit: 1 };
  const [document] = (await caller.call(listDriveDocuments, { params, query })).data.results;
  const body = { documents: [{ id: document?.id ?? '' }], options: { earlierVersion: 'No such version' } };
  const end = await endOf(bed, caller, await caller.call(restoreDriveDocument, { params, body }));
  expect(end).toMatchObject({ state: 'Failed', restored: 0 });
  expect(await failuresOf(end.id)).toMatchObject([
    { name: document?.name, reason: expect.stringContaining('version') },
  ]);
});
