import type { Mailbox } from '../mailbox/mailbox.ts';
import type { Tenant } from '../tenant.ts';
import { appliesTo } from './behaviours.ts';

const NAME = 'Unread of all folders';

/** Puts a search folder among a person's mail folders, once; https://learn.microsoft.com/graph/api/resources/mailsearchfolder */
export function addSearchFolder({ behaviours }: Tenant, mailbox: Mailbox): void {
  if (!appliesTo(behaviours.searchFolders, mailbox.user.id)) return;
  if (mailbox.folders.values().some(({ displayName }) => displayName === NAME)) return;
  const root = mailbox.wellKnown('msgfolderroot');
  const properties = { '@odata.type': '#microsoft.graph.mailSearchFolder', isSupported: true };
  const folder = mailbox.addFolder({ displayName: NAME, folderClass: 'IPF.Note', parent: root.number, properties });
  const some = mailbox.findItem(mailbox.wellKnown('inbox').numberAt(0));
  if (some !== undefined) mailbox.createItem(folder, some.content);
}
