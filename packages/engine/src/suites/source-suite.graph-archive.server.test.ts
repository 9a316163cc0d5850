import { textOf } from '../source/graph/json.ts';
import { archiveOf } from '../source/graph/mailbox/exchange-export.ts';
import { type GraphObject, openGraphWorld } from '../testing/graph/graph-world.ts';
import { sourceSuite } from './source-suite.ts';

sourceSuite('An archive of Microsoft Graph as a source', () =>
  openGraphWorld({ kind: 'archive', change, places: { path: '/admin/*/delta*', times: 20 } }),
);

/** An archive is changed by rules of the server: nothing on the wire does. */
async function change({ tenant, connection, object }: GraphObject): Promise<void> {
  const archive = await archiveOf(connection, object.id, new AbortController().signal);
  const mailbox = tenant.tenant.mailboxes.find(archive ?? '');
  if (!mailbox) throw new Error('The archive has no mailbox.');
  const [inbox, junk] = ['inbox', 'junkemail'].map((name) => mailbox.wellKnown(name));
  if (inbox === undefined || junk === undefined) throw new Error('The archive lacks folders.');
  const [moved, removed] = [0, 1].map((at) => mailbox.findItem(inbox.numberAt(at)));
  if (moved === undefined || removed === undefined) throw new Error('The archive is empty.');
  mailbox.moveItem(moved, junk);
  mailbox.removeItem(removed);
  const made = [...mailbox.folders.values()].find(({ wellKnownName }) => textOf(wellKnownName) === undefined);
  if (made !== undefined) mailbox.removeFolder(made);
}
