import type { Item } from '../../../model/items.ts';
import type { Container, ItemPlace } from '../reading-failures.ts';
import { path, SINGLE } from './mailbox-paths.ts';

/** Where containers of a mailbox are asked for themselves. */
export const mailFolder = (user: string, id: string): Container => {
  return { noun: 'mail folder', id, path: `${path`/users/${user}/mailFolders/${id}`}?$select=id`, headers: SINGLE };
};
export const calendarOf = (user: string, id: string): Container => {
  return { noun: 'calendar', id, path: path`/users/${user}/calendars/${id}`, headers: SINGLE };
};
export const contactFolder = (user: string, id: string): Container => {
  return { noun: 'contact folder', id, path: path`/users/${user}/contactFolders/${id}`, headers: SINGLE };
};
export const taskList = (user: string, id: string): Container => {
  return { noun: 'task list', id, path: path`/users/${user}/todo/lists/${id}`, headers: SINGLE };
};

/** Where an item of a mailbox is asked for itself, and the container it is in. */
export function placeOf(user: string, { id, kind, parentId }: Pick<Item, 'id' | 'kind' | 'parentId'>): ItemPlace {
  const within = parentId ?? '';
  const entityAt = (entity: string) => ({ path: entity, headers: SINGLE });
  if (kind === 'event')
    return { container: calendarOf(user, within), entity: entityAt(path`/users/${user}/events/${id}`) };
  if (kind === 'contact')
    return { container: contactFolder(user, within), entity: entityAt(path`/users/${user}/contacts/${id}`) };
  if (kind === 'task') {
    const task = entityAt(path`/users/${user}/todo/lists/${within}/tasks/${id}`);
    return { container: taskList(user, within), entity: task };
  }
  const message = entityAt(`${path`/users/${user}/messages/${id}`}?$select=id`);
  return { container: mailFolder(user, within), entity: message };
}
