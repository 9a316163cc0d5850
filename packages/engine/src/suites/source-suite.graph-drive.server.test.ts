import { type JsonObject, textOf } from '../source/graph/json.ts';
import { type GraphObject, openGraphWorld } from '../testing/graph/graph-world.ts';
import { sourceSuite } from './source-suite.ts';

sourceSuite('A drive of Microsoft Graph as a source', () =>
  openGraphWorld({ kind: 'drive', change, places: { path: '/drives/*/delta*', times: 1 } }),
);

async function change({ connection, object }: GraphObject): Promise<void> {
  const drive = `/drives/${object.id}`;
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
