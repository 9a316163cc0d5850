import type { ProtectedObject } from '../../../model/protected-object.ts';
import type { GraphConnection } from '../../../source/graph/connection.ts';
import { textOf } from '../../../source/graph/json.ts';
import type { Random } from '../../../testing/random.ts';

const IMMUTABLE = { prefer: 'IdType="ImmutableId"' };

/** Mail arrives, is marked, moved and deleted; through Graph, as by a person's program. */
export async function changeMailbox(connection: GraphConnection, { id }: ProtectedObject, random: Random) {
  const inbox = `/users/${id}/mailFolders/inbox/messages`;
  const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    connection.ask({ method, path, headers: IMMUTABLE, ...(body === undefined ? {} : { body }) });
  const { value } = await connection.page({ path: `${inbox}?$top=20&$select=id`, headers: IMMUTABLE });
  const some = () => `/users/${id}/messages/${textOf(random.pick(value)['id'])}`;
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const content = random.bytes(200 + random.below(20_000)).toString('base64');
    await ask('POST', inbox, { subject: `News ${random.below(1e6)}`, body: { contentType: 'text', content } });
  }
  await ask('PATCH', some(), { categories: [`Color ${random.below(1e6)}`] });
  if (random.below(2) === 0) await ask('DELETE', some());
}

/** Files come, get other bytes, and go. */
export async function changeDrive(connection: GraphConnection, { id }: ProtectedObject, random: Random) {
  const ask = (method: 'PUT' | 'DELETE', path: string, body?: unknown) =>
    connection.ask({ method, path: `/drives/${id}/${path}`, ...(body === undefined ? {} : { body }) });
  for (let count = 1 + random.below(3); count > 0; count -= 1)
    await ask('PUT', `root:/news-${random.below(12)}.bin:/content`, random.bytes(random.below(150_000)));
  const { value } = await connection.page({ path: `/drives/${id}/root/children` });
  const files = value.filter((item) => 'file' in item);
  if (files.length > 4 && random.below(3) === 0) await ask('DELETE', `items/${textOf(random.pick(files)['id'])}`);
}
