import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { type JsonObject, textOf } from '../source/graph/json.ts';
import { smallDriveOf } from '../testing/graph-drive.ts';
import { startConnected } from '../testing/graph-tenant.ts';
import { sourceSuite } from './source-suite.ts';

sourceSuite('A drive of Microsoft Graph as a source', async () => {
  const { tenant, connection } = await startConnected();
  const source = openGraphSource(connection);
  const object = await smallDriveOf(source, tenant);
  return {
    source,
    object,
    change: () => change(connection, object),
    losePlaces: () => losePlaces(tenant),
    close: () => tenant.stop(),
  };
});

function losePlaces(tenant: RunningTenant): void {
  tenant.setFaults([{ kind: 'sync-state-gone', path: '/drives/*/delta*', times: 1 }]);
}

async function change(connection: GraphConnection, { id }: ProtectedObject): Promise<void> {
  const drive = `/drives/${id}`;
  const ask = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    connection.ask({ method, path, ...(body === undefined ? {} : { body }) });
  const all: JsonObject[] = [];
  for await (const { value } of connection.pages({ path: `${drive}/root/delta` })) all.push(...value);
  const ids = (facet: string) =>
    all.filter((item) => facet in item && !('root' in item)).map(({ id }) => textOf(id) ?? '');
  const [written, renamed, moved, removed, shared] = ids('file');
  const folders = ids('folder');
  await ask('PUT', `${drive}/items/${written}/content`, Buffer.from('New bytes'));
  await ask('PATCH', `${drive}/items/${renamed}`, { name: 'Renamed ünïcode 😀.txt' });
  await ask('PATCH', `${drive}/items/${moved}`, { parentReference: { id: folders.at(-1) }, name: 'moved.bin' });
  await ask('DELETE', `${drive}/items/${removed}`);
  await ask('POST', `${drive}/items/${shared}/invite`, {
    roles: ['read'],
    recipients: [{ email: 'guest@other.example' }],
  });
  await ask('PATCH', `${drive}/items/${folders[0]}`, { name: 'Renamed folder' });
  await ask('DELETE', `${drive}/items/${folders[2]}`);
  const made = await ask('POST', `${drive}/root/children`, { name: 'Made', folder: {} });
  await ask('PUT', `${drive}/items/${made['id']}:/empty.txt:/content`, Buffer.alloc(0));
}
