import { openGraphSource } from '../source/graph/graph-source.ts';
import { textOf } from '../source/graph/json.ts';
import { mailboxIdsOf } from '../source/graph/mailbox/exchange-export.ts';
import { objectsIn } from '../testing/graph-mailbox.ts';
import { startConnected } from '../testing/graph-tenant.ts';
import { sourceSuite } from './source-suite.ts';

sourceSuite('An archive of Microsoft Graph as a source', async () => {
  const { tenant, connection } = await startConnected();
  const source = openGraphSource(connection);
  const [object] = await objectsIn(source, 'archive');
  if (object === undefined) throw new Error('The tenant has no archive.');
  const { archive } = await mailboxIdsOf(connection, object.id, new AbortController().signal);
  const mailbox = tenant.tenant.mailboxes.find(archive ?? '');
  if (!mailbox) throw new Error('The archive has no mailbox.');
  return {
    source,
    object,
    // An archive is changed by rules of the server: nothing on the wire does.
    change: async () => {
      const [inbox, junk] = ['inbox', 'junkemail'].map((name) => mailbox.wellKnown(name));
      if (inbox === undefined || junk === undefined) throw new Error('The archive lacks folders.');
      const [moved, removed] = [0, 1].map((at) => mailbox.findItem(inbox.numberAt(at)));
      if (moved === undefined || removed === undefined) throw new Error('The archive is empty.');
      mailbox.moveItem(moved, junk);
      mailbox.removeItem(removed);
      const made = [...mailbox.folders.values()].find(({ wellKnownName }) => textOf(wellKnownName) === undefined);
      if (made !== undefined) mailbox.removeFolder(made);
    },
    losePlaces: () => tenant.setFaults([{ kind: 'sync-state-gone', path: '/admin/*/delta*', times: 20 }]),
    close: () => tenant.stop(),
  };
});
