import { setTimeout as pause } from 'node:timers/promises';
import type { Catalog, CatalogWaits } from '../catalog/catalog.ts';
import { openCatalog, waitsOf } from '../engine.ts';
import { EngineError } from '../model/engine-error.ts';
import type { CommandContext } from './command.ts';
import { dataFolder } from './data-folder.ts';
import { databaseTrouble } from './errors/explain-error.ts';
import { printEvents } from './print-events.ts';

export interface GivenCatalog {
  catalog: Catalog;
  close(): Promise<void>;
}

/** How often a data folder is asked for that another command uses. */
const POLL_MS = 500;

/**
 * Opens the catalog of `--database`, or the embedded one. Another command may use the data folder: who only looks reads beside it, all others wait for
 * its end.
 * @param looks whether the command changes nothing and is short
 */
export async function openGivenCatalog(context: CommandContext, looks: boolean): Promise<GivenCatalog> {
  const { given, environment, output, signal } = context;
  const waits = await waitsOf({ signal, onEvent: printEvents(output).onEvent });
  const url = given.text('database') ?? environment.DATABASE_URL;
  if (url !== undefined && url !== '') {
    const catalog = await openCatalogAt(url, waits);
    return { catalog, close: () => catalog.close() };
  }
  const { url: embedded, stop } = await embeddedDatabase(context, looks);
  try {
    const catalog = await openCatalogAt(embedded, waits);
    return {
      catalog,
      async close() {
        await catalog.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function embeddedDatabase(
  { given, environment, output, signal }: CommandContext,
  looks: boolean,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const [{ startEmbeddedDatabase }, { FolderInUse }] = await Promise.all([
    import('@keepwatch/embedded-database/embedded-database'),
    import('@keepwatch/embedded-database/folder-lock'),
  ]);
  const dataDir = dataFolder(given, environment);
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return await startEmbeddedDatabase({ dataDir, log: () => undefined });
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const url = looks ? await joined(dataDir) : undefined;
      if (url !== undefined) return { url, stop: async () => undefined };
      if (!hasSaid) output.wait(waitingFor(error), { until: 'database', folder: dataDir });
    }
    await pause(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function joined(dataDir: string): Promise<string | undefined> {
  const { joinEmbeddedDatabase } = await import('@keepwatch/embedded-database/join-database');
  return joinEmbeddedDatabase(dataDir);
}

const waitingFor = ({ message }: Error) =>
  `Waiting: ${message.split('. ', 1)[0]}. Ctrl-C is safe. With a PostgreSQL of their own (DATABASE_URL) commands run side by side.`;

async function openCatalogAt(url: string, waits: CatalogWaits): Promise<Catalog> {
  if (!URL.canParse(url) || !/^postgres(ql)?:/.test(url)) {
    // The address may hold a password: it is not repeated.
    throw new EngineError(
      'bad-request',
      'The database address must look like postgres://user:password@host:5432/name.',
    );
  }
  try {
    return await openCatalog(url, waits);
  } catch (cause) {
    const { host, pathname } = new URL(url);
    const trouble = databaseTrouble(cause);
    if (trouble === null) throw cause;
    throw new EngineError('store-unreachable', `${host}${pathname}: ${trouble}`, { cause, isRetryable: true });
  }
}
