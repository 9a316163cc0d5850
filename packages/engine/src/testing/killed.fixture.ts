import { backUp } from '../backup/backup.ts';
import { openCatalog } from '../catalog/postgres/open-catalog.ts';
import { prune } from '../prune/prune.ts';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { ChangingWorld } from './changing-world.ts';
import { EVERYTHING } from './written-source.ts';

/**
 * A program that backs up a world or prunes, to be killed on the way: `<folder> <database> <password> <seed> <generation> <now> <before or ->`.
 * It prints `begun` when it begins, and `ended` if it was not killed by then.
 */
const [folder = '', url = '', password = '', seed, generation, now, before = '-'] = process.argv.slice(2);
// Packs are filled in a thread of their own, so that a kill meets that as well.
const options = {
  passwordCost: { memoryKiB: 64, passes: 1, lanes: 1 },
  now: () => new Date(Number(now)),
  packing: { hereBytesMax: 0 },
};
const repository = await openRepository(await openFolderStore(folder), password, options);
const catalog = await (await openCatalog(url)).repository(repository.id);
process.stdout.write('begun\n');
if (before === '-') {
  const { source } = new ChangingWorld(Number(seed), Number(generation));
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  await backUp({ repository, catalog, source, signal: new AbortController().signal, now: options.now }, job);
} else await prune(repository, catalog, { before: new Date(Number(before)), now: options.now });
process.stdout.write('ended\n');
process.exit();
