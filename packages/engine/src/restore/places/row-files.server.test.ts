import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import { startTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import { attachmentsOf } from '../../../../sandbox/src/microsoft365/sharepoint/row-attachments.ts';
import type { SiteList } from '../../../../sandbox/src/microsoft365/sites/lists/site-list.ts';
import type { Site } from '../../../../sandbox/src/microsoft365/sites/site.ts';
import { StoredBackup } from '../../browse/testing/stored-backup.ts';
import { restoreRequest } from '../../engine/restore-request.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import type { GraphConnection } from '../../source/graph/connection.ts';
import { openGraphSource } from '../../source/graph/graph-source.ts';
import { filledSiteOf } from '../../testing/graph/graph-site.ts';
import { connectByCertificate, connectTo } from '../../testing/graph/graph-tenant.ts';
import { restore } from '../restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from '../restore-options.ts';
import { SKIP_REASONS } from '../skip-reasons.ts';

let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
let object: ProtectedObject;
let inside: Site;
let list: SiteList;

beforeEach(async () => {
  stored = await StoredBackup.create();
  tenant = await startTenant({ size: 'small' });
  connection = await connectByCertificate(tenant);
  const source = openGraphSource(connection);
  ({ object, inside } = await filledSiteOf(source, tenant));
  list = [...inside.lists.values()].find(({ facts }) => facts.displayName === 'Inventory') as SiteList;
  await stored.backUpFrom(source, 'site');
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

async function restoreSite(by: GraphConnection, options: Partial<RestoreOptions> = {}) {
  const { repository, catalog } = stored;
  const { signal } = new AbortController();
  const scope = { ...(await stored.scopeOf(object)), items: [list.facts.id] };
  const order = { scope, options: { ...RESTORE_OPTIONS, ...options } };
  const request = await restoreRequest({ repository, catalog }, by, order, signal);
  const failed: string[] = [];
  const onItem = (item: { outcome: string; name: string; reason?: string }) =>
    void (item.outcome === 'failed' && failed.push(`${item.name}: ${item.reason}`));
  return { result: await restore({ repository, catalog, signal, onItem }, request), failed };
}

/** Files by the title of their row. */
const filesIn = ({ items }: SiteList) =>
  Object.fromEntries(
    items.filter(({ hasAttachments }) => hasAttachments).map((row) => [row.fields['Title'], [...attachmentsOf(row)]]),
  );

test('rows that are gone come back with the files that were attached to them', async () => {
  const before = filesIn(list);
  for (const row of list.items.slice(0, 15)) list.remove(row);
  const { result, failed } = await restoreSite(connection);
  expect(failed).toEqual([]);
  expect(result.restored).toBe(15);
  expect(filesIn(list)).toEqual(before);
  expect(JSON.stringify(result)).not.toContain('its attachments');
});

test('a row whose files are gone differs: it stays, and with replace it has them again', async () => {
  const before = filesIn(list);
  const row = list.items.find(({ hasAttachments }) => hasAttachments);
  if (row === undefined) throw new Error('No row has attachments.');
  attachmentsOf(row).clear();
  row.hasAttachments = false;
  expect((await restoreSite(connection)).result).toMatchObject({ restored: 0, replaced: 0, failed: 0 });
  expect((await restoreSite(connection, { conflict: 'replace' })).result).toMatchObject({ replaced: 1, failed: 0 });
  expect(filesIn(list)).toEqual(before);
});

test('with a secret, or without the permission, the rows come back and their files are reported as lost', async () => {
  for (const by of [connectTo(tenant), await connectByCertificate(tenant, ['Sites.Read.All'])]) {
    const [row] = list.items.filter(({ hasAttachments }) => hasAttachments);
    if (row === undefined) throw new Error('No row has attachments.');
    list.remove(row);
    const { result, failed } = await restoreSite(by);
    expect(failed).toEqual([]);
    expect(result).toMatchObject({ restored: 1 });
    expect(JSON.stringify(result)).toContain('its attachments');
  }
});

test('roles of persons and groups are left out, and counted as such', async () => {
  const { result } = await restoreSite(connection);
  expect(result.skippedBecause).toMatchObject({ [SKIP_REASONS.roles]: expect.any(Number) });
});
