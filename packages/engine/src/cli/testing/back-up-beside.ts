import { onTestFinished } from 'vitest';
import { backUp } from '../../backup/backup.ts';
import type { RepositoryCatalog } from '../../catalog/catalog.ts';
import { openCatalog } from '../../catalog/postgres/open-catalog.ts';
import { openRepository } from '../../repository/open-repository.ts';
import { openFolderStore } from '../../store/folder/folder-store.ts';
import { PASSWORD } from '../../testing/test-parts.ts';
import { EVERYTHING, type WrittenObject, WrittenSource } from '../../testing/written-source.ts';
import type { CommandLine } from './command-line.ts';

/** Backs an object up into the repository of a command line, in this process and by a catalog in a database of its own choice. */
export async function backUpBeside(
  commandLine: CommandLine,
  databaseUrl: string,
  object: WrittenObject,
): Promise<{ catalog: RepositoryCatalog; run: string }> {
  const repository = await openRepository(await openFolderStore(commandLine.repository), PASSWORD);
  const catalogs = await openCatalog(databaseUrl);
  onTestFinished(async () => {
    await catalogs.close();
    await repository.close();
  });
  const catalog = await catalogs.repository(repository.id);
  const { signal } = new AbortController();
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const { run } = await backUp({ repository, catalog, source: new WrittenSource(object), signal }, job);
  return { catalog, run };
}
