import { afterEach, describe, expect, it } from 'vitest';
import { permissionId } from '../../../../../sandbox/src/microsoft365/applications/permissions.ts';
import type { TenantFault } from '../../../../../sandbox/src/microsoft365/faults/fault.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { connectTo, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';
import { SINGLE } from './mailbox-paths.ts';

const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function mailbox(
  faults: readonly TenantFault[] = [],
  { latencyMs = 0, keepExchangeStream = false }: { latencyMs?: number; keepExchangeStream?: boolean } = {},
) {
  const { tenant, connection } = await startConnected({ latencyMs });
  open.push(tenant);
  const source = openGraphSource(connection, { keepExchangeStream });
  const object = await mailboxOf(source);
  const replica = new Replica(source, object);
  tenant.resetRequests();
  tenant.setFaults(faults);
  return { tenant, connection, replica, object };
}

const messagesOf = (replica: Replica) => [...replica.items.values()].filter(({ item }) => item.kind === 'message');

describe('Reading a mailbox through faults', () => {
  it('never has more requests under way than a mailbox serves, and is never refused for it', async () => {
    const { tenant, replica } = await mailbox([], { latencyMs: 1, keepExchangeStream: true });
    await replica.read();
    const { byStatus, peakByMailbox } = tenant.requests();
    expect(byStatus[429]).toBeUndefined();
    expect(Math.max(...Object.values(peakByMailbox))).toBeLessThanOrEqual(4);
  });

  it('reads all the same through refusals for load, 5xx, tokens that end and replies that are cut or garbage', async () => {
    const { replica: calm } = await mailbox();
    await calm.read();
    const faults: TenantFault[] = [
      { kind: 'throttle', probability: 0.05, times: 10, parameters: { retryAfterSeconds: 0.05 } },
      { kind: 'server-error', probability: 0.05, times: 6, parameters: { status: 503 } },
      // One a rule: a call whose renewed token is refused too ends as refused credentials.
      { kind: 'expired-token', path: '/users/*/mailFolders*', times: 1 },
      { kind: 'expired-token', path: '/users/*/calendars*', times: 1 },
      { kind: 'expired-token', path: '/users/*/messages/*', times: 1 },
      { kind: 'cut', path: '/$batch', times: 2 },
      { kind: 'garbage', path: '/users/*', times: 3, probability: 0.2 },
    ];
    const { replica } = await mailbox(faults);
    await replica.read();
    expect([...replica.lost.values()]).toEqual([]);
    expect([...replica.items.keys()].sort()).toEqual([...calm.items.keys()].sort());
  });

  it('loses a corrupt message alone, and reads it when it can be read again', async () => {
    const path = '/users/*/messages/*/$value';
    const { tenant, replica } = await mailbox([{ kind: 'corrupt', path, times: 2 }]);
    await replica.read();
    expect(replica.lost.size).toBe(2);
    expect([...replica.lost.values()][0]?.reason).toMatch(/ErrorCorruptData/);
    const read = messagesOf(replica).length;
    tenant.setFaults([]);
    await replica.read();
    expect(replica.lost.size).toBe(0);
    expect(messagesOf(replica)).toHaveLength(read + 2);
  });

  it('treats a message that vanished between list and read as gone, not as lost', async () => {
    const { tenant, connection, replica, object } = await mailbox();
    const { value } = await connection.page({
      path: `/users/${object.id}/messages?$top=1&$select=id`,
      headers: SINGLE,
    });
    const id = String(value[0]?.['id']);
    // Both the text and the message itself.
    tenant.setFaults([{ kind: 'vanished', path: `/users/*/messages/${id.replace(/=+$/, '')}*` }]);
    await replica.read();
    expect(replica.lost.size).toBe(0);
    expect(replica.items.has(id)).toBe(false);
    expect(messagesOf(replica).length).toBeGreaterThan(0);
  });

  it('asks for a quiet mailbox in few requests besides one a folder, and for ten changes in less than forty', async () => {
    const { tenant, connection, replica, object } = await mailbox();
    await replica.read();
    const inbox = `/users/${object.id}/mailFolders/inbox/messages`;
    const { value } = await connection.page({ path: `${inbox}?$top=10&$select=id` });
    for (const { id } of value)
      await connection.ask({ method: 'PATCH', path: `/users/${object.id}/messages/${id}`, body: { isRead: false } });
    // All folders are asked, 20 in one request on the wire, and all settings in one; the sandbox counts the parts.
    const folders = [...replica.items.values()].filter(({ item }) => item.kind === 'mail-folder').length;
    tenant.resetRequests();
    await replica.read();
    expect(replica.events.filter((event) => event.type === 'item' && event.item.kind === 'message')).toHaveLength(10);
    expect(tenant.requests().total).toBeLessThan(40 + folders);
    tenant.resetRequests();
    await replica.read();
    expect(tenant.requests().total).toBeLessThan(20 + folders);
  });

  it('goes on with all that may be read, and then says which permission is missing', async () => {
    const { tenant, replica } = await mailbox();
    const [access] = tenant.all;
    const applications = access?.tenant.applications;
    const principal = applications?.findPrincipalByAppId(tenant.application.clientId);
    if (principal === undefined) throw new Error('The application has no service principal.');
    const ids = ['Calendars.Read', 'Calendars.ReadWrite'].map(permissionId);
    principal.assignments = principal.assignments.filter(({ appRoleId }) => !ids.includes(appRoleId));
    const fresh = new Replica(openGraphSource(connectTo(tenant), { keepExchangeStream: false }), replica.object);
    await fresh.read();
    expect(fresh.failures.toSorted()).toEqual([
      expect.stringMatching(/the calendars .*Let an administrator grant/),
      expect.stringMatching(/the permissions of the calendars .*Let an administrator grant/),
    ]);
    const kinds = new Set([...fresh.items.values()].map(({ item }) => item.kind));
    expect([kinds.has('message'), kinds.has('contact'), kinds.has('task'), kinds.has('event')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
