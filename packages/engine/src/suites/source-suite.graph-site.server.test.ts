import { objectOf, objectsOf, textOf } from '../source/graph/json.ts';
import { type GraphObject, openGraphWorld } from '../testing/graph/graph-world.ts';
import { sourceSuite } from './source-suite.ts';

sourceSuite('A site of Microsoft Graph as a source', () =>
  openGraphWorld({ kind: 'site', change, places: { path: '/sites/*/items/delta*', times: 4 } }),
);

async function change({ connection, object }: GraphObject): Promise<void> {
  const site = `/sites/${object.id}`;
  const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    connection.ask({ method, path, ...(body === undefined ? {} : { body }) });
  const { value: lists } = await connection.page({ path: `${site}/lists?$expand=columns` });
  const generic = lists.filter((list) => objectOf(list['list'])['template'] === 'genericList');
  const list = `${site}/lists/${generic[0]?.['id']}`;
  const { value: rows } = await connection.page({ path: `${list}/items` });
  const [changed, twice, removed] = rows.map((row) => textOf(row['id']));
  await ask('PATCH', `${list}/items/${changed}/fields`, { Title: 'Changed' });
  for (const Title of ['Once', 'Twice']) await ask('PATCH', `${list}/items/${twice}/fields`, { Title });
  await ask('DELETE', `${list}/items/${removed}`);
  await ask('POST', `${list}/items`, { fields: { Title: 'Ünïcode 表' } });
  const own = objectsOf(generic[0]?.['columns']).find((column) => column['isDeletable'] === true && 'text' in column);
  await ask('POST', `${list}/columns`, { name: 'Remark', text: {} });
  if (own !== undefined) await ask('PATCH', `${list}/columns/${own['id']}`, { description: 'Said again' });
  const made = await ask('POST', `${site}/lists`, { displayName: 'Made', list: { template: 'genericList' } });
  await ask('POST', `${site}/lists/${made['id']}/items`, { fields: { Title: 'First' } });
  if (generic[1] !== undefined) await ask('DELETE', `${site}/lists/${generic[1]['id']}`);
  const { value: pages } = await connection.page({ path: `${site}/pages` });
  await ask('PATCH', `${site}/pages/${pages[0]?.['id']}/microsoft.graph.sitePage`, { title: 'New title' });
  await ask('DELETE', `${site}/pages/${pages[1]?.['id']}`);
}
