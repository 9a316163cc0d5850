import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import {
  listMailboxItems,
  listRestoreMailboxes,
  restoreMailboxToAnother,
  weighMailbox,
} from '@keepwatch/contract/restore/mailboxes';
import { previewItem } from '@keepwatch/contract/restore/previews';
import {
  cancelRestoreOperation,
  confirmRestoreCode,
  listRestoreOperations,
  openRestoreSession,
  readRestoreOperation,
  requestRestoreCode,
  stopRestoreSession,
} from '@keepwatch/contract/restore/sessions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../testing/test-portal.ts';
import { microsoftSignIn } from './sign-in/microsoft-sign-in.ts';
import { type RestoreBed, startRestoreBed } from './testing/restore-bed.ts';

let bed: RestoreBed;
beforeAll(async () => {
  bed = await startRestoreBed();
});
afterAll(() => bed.stop());

const where = () => ({ companyId: bed.organization.companyId, organizationId: bed.organization.id });
const person = { accountId: 'a', account: 'admin@contoso.test', isAdministrator: true, token: 'secret' };

async function openOf(caller: Caller) {
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const { data } = await caller.call(openRestoreSession, { body: { ...where(), datetime, sessionType: 'vex' } });
  return data;
}

async function aMailbox(caller: Caller) {
  const restoreSessionId = (await openOf(caller)).id;
  const { data } = await caller.call(listRestoreMailboxes, { params: { restoreSessionId } });
  const own = data.results.find(({ isArchive, isGroup }) => !isArchive && !isGroup);
  return { restoreSessionId, mailboxId: own?.id ?? '' };
}

describe('the device code', () => {
  it('is pending until it is entered, then proves who signed in, and ends with the session', async () => {
    const caller = await bed.as('o365_admin');
    const { userCode } = (await caller.call(requestRestoreCode, { body: where() })).data;
    const body = { ...where(), userCode };
    const pending = await caller.send(confirmRestoreCode, { body });
    expect([pending.status, (await pending.json()).code]).toEqual([409, 'DEVICE_CODE_PENDING']);
    const secret = [...bed.signIns.keys()].at(-1) ?? '';
    bed.signIns.set(secret, { ...person, expiresAt: new Date(Date.now() + 3_600_000) });
    const { data } = await caller.call(confirmRestoreCode, { body });
    expect(data).toMatchObject({ account: person.account, role: 'administrator' });
    const session = await openOf(caller);
    expect(session.token).toMatchObject({ role: 'administrator' });
    await caller.call(stopRestoreSession, { params: { restoreSessionId: session.id } });
    expect((await openOf(caller)).token).toBeNull();
  });

  it('of another user is not found', async () => {
    const [caller, other] = [await bed.as('o365_admin'), await bed.as('o365_admin')];
    const { userCode } = (await caller.call(requestRestoreCode, { body: where() })).data;
    expect((await other.send(confirmRestoreCode, { body: { ...where(), userCode } })).status).toBe(404);
    const stranger = await bed.as('o365_admin', { providerId: 2 });
    expect((await stranger.send(requestRestoreCode, { body: where() })).status).toBe(404);
  });
});

describe('the sign-in at Microsoft', () => {
  const signInClientId = '14d82eec-204b-4c2f-b7e8-296a70dab67e';

  async function signedIn(user: string) {
    const { loginUrl, graphUrl, sharePointUrl } = bed.tenant;
    const platform = microsoftSignIn({ loginUrl, graphUrl, sharePointUrl, signInClientId });
    const { signal } = new AbortController();
    const begun = await platform.begin(bed.organization, signal);
    expect(await platform.redeem(bed.organization, begun.secret, signal)).toBe('pending');
    expect(bed.tenant.settleDeviceCode(begun.userCode, user)).toBe(true);
    bed.tenant.advance(6_000);
    return platform.redeem(bed.organization, begun.secret, signal);
  }

  it('knows an administrator by the roles in the directory', async () => {
    const account = `admin@${bed.tenant.domain}`;
    expect(await signedIn(account)).toMatchObject({ account, isAdministrator: true });
    const { value } = await bed.connection.page({ path: '/users?$select=id,userPrincipalName' });
    const other =
      value.map(({ userPrincipalName }) => String(userPrincipalName)).find((name) => name !== account) ?? '';
    expect(await signedIn(other)).toMatchObject({ account: other, isAdministrator: false });
  });
});

describe('an operation', () => {
  it('that no worker has begun is cancelled at once, and is of its user alone', async () => {
    const [caller, other] = [await bed.asAdministrator(), await bed.asAdministrator()];
    const params = await aMailbox(caller);
    expect((await caller.send(restoreMailboxToAnother, { params, body: {} })).status).toBe(422);
    const body = { folder: 'Restored' };
    const { id: operationId } = (await caller.call(restoreMailboxToAnother, { params, body })).data;
    expect((await other.send(readRestoreOperation, { params: { operationId } })).status).toBe(404);
    const action = { action: 'cancel' as const };
    expect((await other.send(cancelRestoreOperation, { params: { operationId }, body: action })).status).toBe(404);
    const { data } = await caller.call(cancelRestoreOperation, { params: { operationId }, body: action });
    expect(data.state).toBe('Cancelled');
    await bed.work();
    const listed = await caller.call(listRestoreOperations, { query: {} });
    expect(listed.data.map(({ state, target }) => [state, target.endsWith('folder Restored')])).toEqual([
      ['Cancelled', true],
    ]);
  });

  it('that the end of the program broke off goes on in another worker, and doubles nothing', async () => {
    const caller = await bed.asAdministrator();
    const params = await aMailbox(caller);
    const body = { folder: 'Back', options: { conflict: 'keep-both' as const } };
    const { id: operationId } = (await caller.call(restoreMailboxToAnother, { params, body })).data;
    const [job] = bed.sent;
    const stopping = new AbortController();
    const first = bed.work(stopping.signal);
    await expect
      .poll(async () => (await caller.call(readRestoreOperation, { params: { operationId } })).data.done)
      .toBeGreaterThan(0);
    stopping.abort(new Error('The program is being stopped.'));
    await first.catch(() => undefined);
    if (job !== undefined) bed.sent.push(job);
    await bed.work();
    const { data } = await caller.call(readRestoreOperation, { params: { operationId } });
    const all = (await caller.call(weighMailbox, { params, body: {} })).data.items;
    expect(data).toMatchObject({ failed: 0, notBegun: 0 });
    expect(data.restored + data.skipped).toBeLessThanOrEqual(all);
    expect(data.restored).toBeGreaterThan(0);
  });
});

describe('an item', () => {
  it('is found by its words and previewed', async () => {
    const caller = await bed.as('o365_admin');
    const { restoreSessionId } = await aMailbox(caller);
    const params = { restoreSessionId };
    const found = await caller.call(searchRestoreSession, { params, query: { sizeFrom: 1, limit: 5 } });
    expect(found.data.length).toBe(5);
    const [hit] = found.data;
    const word = hit?.name.match(/\p{L}{4,}/u)?.[0] ?? '';
    const again = await caller.call(searchRestoreSession, { params, query: { text: word, allTime: true, limit: 100 } });
    expect(again.data.map(({ id }) => id)).toContain(hit?.id);
    const next = await caller.call(searchRestoreSession, {
      params,
      query: { sizeFrom: 1, limit: 5, after: found._next ?? '' },
    });
    expect(next.data.map(({ id }) => id)).not.toContain(hit?.id);
    const query = { objectId: hit?.objectId ?? '', itemId: hit?.id ?? '' };
    const { data } = await caller.call(previewItem, { params, query });
    expect(data).toMatchObject({ id: hit?.id, type: hit?.type });
    expect((await caller.send(previewItem, { params, query: { ...query, itemId: 'nothing' } })).status).toBe(404);
    const within = { params: { ...params, mailboxId: query.objectId }, query: { parentId: hit?.parentId ?? '' } };
    expect((await caller.send(listMailboxItems, within)).status).toBe(200);
  });
});
