import { sha256 } from './read-files.ts';
import type { RestoreBed } from './restore-bed.ts';

/** What a tenant has now, asked over Graph: nothing here knows the backup. */

type Entity = Readonly<Record<string, unknown>>;
type Tenant = Pick<RestoreBed, 'connection'>;

const text = (entity: Entity, name: string) => (typeof entity[name] === 'string' ? entity[name] : '');

export async function allOf({ connection }: Tenant, path: string): Promise<Entity[]> {
  const all: Entity[] = [];
  for await (const { value } of connection.pages({ path })) all.push(...value);
  return all;
}

/** Paths of the files below a folder of a drive, with the SHA-256 of each. */
export async function filesBelow(tenant: Tenant, driveId: string, folderId = 'root'): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const item of await allOf(tenant, `/drives/${driveId}/items/${folderId}/children?$top=200`)) {
    const name = text(item, 'name');
    if (item['folder'] !== undefined)
      for (const [path, hash] of await filesBelow(tenant, driveId, text(item, 'id')))
        files.set(`${name}/${path}`, hash);
    else if (item['file'] !== undefined) files.set(name, await hashOfFile(item));
  }
  return files;
}

async function hashOfFile(item: Entity): Promise<string> {
  const response = await fetch(text(item, '@microsoft.graph.downloadUrl'));
  return sha256(new Uint8Array(await response.arrayBuffer()));
}

/** Files whose path begins with that of a folder, by the rest of their path. */
export function inPath(files: ReadonlyMap<string, string>, folder: string): Map<string, string> {
  const below = [...files].filter(([path]) => path.startsWith(`${folder}/`));
  return new Map(below.map(([path, hash]) => [path.slice(folder.length + 1), hash]));
}

/** Paths of the folders of a mailbox, each with the message ids of what is in it. */
export async function mailsByFolder(
  tenant: Tenant,
  userId: string,
  below = 'mailFolders',
  path = '',
): Promise<Map<string, string[]>> {
  const mails = new Map<string, string[]>();
  for (const folder of await allOf(tenant, `/users/${userId}/${below}?$top=200`)) {
    const [id, name] = [text(folder, 'id'), `${path}/${text(folder, 'displayName')}`];
    const messages = `/users/${userId}/mailFolders/${id}/messages?$select=internetMessageId&$top=500`;
    mails.set(name, (await allOf(tenant, messages)).map((one) => text(one, 'internetMessageId')).toSorted());
    for (const [deeper, ids] of await mailsByFolder(tenant, userId, `mailFolders/${id}/childFolders`, name))
      mails.set(deeper, ids);
  }
  return mails;
}

/** The same of folders that have a message. */
export const filled = (mails: ReadonlyMap<string, string[]>): Map<string, string[]> =>
  new Map([...mails].filter(([, ids]) => ids.length > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Titles of the rows of a list, in their order. */
export async function titlesOf(tenant: Tenant, siteId: string, listId: string): Promise<string[]> {
  const rows = await allOf(tenant, `/sites/${siteId}/lists/${listId}/items?$expand=fields&$top=500`);
  return rows.map(({ fields }) => text(Object.fromEntries(Object.entries(fields ?? {})), 'Title')).toSorted();
}
