import { z } from 'zod';
import { openCatalog, openRepository, openStore, restore } from '../engine.ts';
import { RESTORE_OPTIONS } from '../restore/restore-options.ts';
import { openGraphConnection } from '../source/graph/connection.ts';

/**
 * A worker that restores a folder of a mailbox, to be killed on the way: `<repository> <password> <database> <connection as JSON> <object> <folder's id>`. Its
 * journal is in the database. It prints a line when it has restored something.
 */
const [place = '', password = '', url = '', connected = '', key = '', item = ''] = process.argv.slice(2);
const text = z.string();
const options = z
  .object({ tenantId: text, clientId: text, secret: text, loginUrl: text, graphUrl: text })
  .parse(JSON.parse(connected));
const { clientId, secret, ...tenant } = options;
const applications = [{ clientId, secret }];
const connection = openGraphConnection({ cloud: 'worldwide', ...tenant, applications });
const repository = await openRepository(await openStore(place, {}), password);
const all = await openCatalog(url);
const catalog = await all.repository(repository.id);
const object = await catalog.object(key);
if (object === null) throw new Error('The mailbox is not stored.');
const scope = { object, revision: object.revision, items: [item] };
const journals = all.restoreJournals(repository.id);
const order = { scope, options: { ...RESTORE_OPTIONS, into: 'Restored' }, journals };
await restore({ repository, catalog }, connection, order, {
  signal: new AbortController().signal,
  onEvent: (event) => event.type === 'progress' && event.done > 1 && process.stdout.write('restored\n'),
});
process.exit();
