import type { Drive } from '../drives/drive.ts';
import type { DriveItem } from '../drives/items/drive-item.ts';
import type { Folder } from '../mailbox/folder.ts';
import type { Item } from '../mailbox/item.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { appliesTo } from './behaviours.ts';

/** So few entities a page that an enumeration has several. */
export const FEW = 3;

/** What was deleted between two pages, until it is made again; `null` once that was done. */
const mail = new WeakMap<Mailbox, { folder: Folder; items: Item[] } | null>();
const files = new WeakMap<Drive, DriveItem | null>();
/** What was named as deleted on a page. */
const reported = new WeakSet<DriveItem>();

/** Whether an enumeration goes on while the folder of this mailbox or drive is deleted and made again. */
const isBetweenPages = ({ tenant, query }: GraphCall, id: string) =>
  appliesTo(tenant.behaviours.remadeFolders, id) && (query.has('$skiptoken') || query.has('token'));

/** Deletes a person's mail folder before the second page, and makes one of the same name, with the same messages, before the third. */
export function remakeMailFolder(call: GraphCall, mailbox: Mailbox): void {
  if (!isBetweenPages(call, mailbox.user.id)) return;
  const gone = mail.get(mailbox);
  if (gone === undefined) deleteMailFolder(mailbox);
  else if (gone !== null) {
    const { displayName, parent } = gone.folder;
    const folder = mailbox.addFolder({ displayName, parent, folderClass: 'IPF.Note' });
    for (const { content, createdMs } of gone.items) mailbox.createItem(folder, content, createdMs);
    mail.set(mailbox, null);
  }
}

function deleteMailFolder(mailbox: Mailbox): void {
  const folder = [...mailbox.folders.values()].find(
    (one) =>
      one.folderClass === 'IPF.Note' &&
      one.wellKnownName === undefined &&
      one.itemCount > 0 &&
      mailbox.childrenOf(one).length === 0,
  );
  if (folder === undefined) return;
  const items = Array.from({ length: folder.itemCount }, (_, at) => mailbox.findItem(folder.numberAt(at)));
  mail.set(mailbox, { folder, items: items.flatMap((item) => item ?? []) });
  mailbox.removeFolder(folder);
}

/** Notes that an item was named as deleted. */
export const removalReported = (item: DriveItem) => reported.add(item);

/** Deletes a folder of a drive before the second page, and takes it from the recycle bin, with all in it, behind the page that names it. */
export function remakeDriveFolder(call: GraphCall, drive: Drive): void {
  if (!isBetweenPages(call, drive.facts.id)) return;
  const gone = files.get(drive);
  if (gone === undefined) {
    const folder = [...drive.all()].find(({ kind, children }) => kind === 'folder' && children.size > 0);
    if (folder === undefined) return;
    files.set(drive, folder);
    drive.remove(folder);
    // Other changes follow, so that the removal is not on the last page.
    for (const { id } of [...drive.all()].slice(0, 2 * FEW)) drive.changes.record(id);
  } else if (gone !== null && reported.has(gone)) {
    drive.putBack(gone);
    files.set(drive, null);
  }
}
