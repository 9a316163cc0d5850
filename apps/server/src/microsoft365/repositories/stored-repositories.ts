import { openCatalog, openRepository, type PostgresCatalog, type Stored } from '@keepwatch/engine/engine';
import { openPlace } from './open-place.ts';
import type { PlaceRules } from './place-rules.ts';
import type { RepositorySecrets, StoredPlace } from './repository-place.ts';

/** All that opening a repository takes. */
export interface OpeningOrder {
  /** Equal ones are the same repository with the same secrets. */
  key: string;
  place: StoredPlace;
  immutableDays: number;
  secrets: RepositorySecrets;
}

/** The repositories that a process has open, and the catalog that they share. */
export interface StoredRepositories {
  rules: PlaceRules;
  open(order: OpeningOrder): Promise<Stored>;
  /** Opens a repository for one piece of work, which closes it: nothing comes from what others read before. */
  openAfresh(order: OpeningOrder): Promise<Stored>;
  /** The catalog of all repositories, opened when it is first needed. */
  catalog(): Promise<PostgresCatalog>;
  close(): Promise<void>;
}

export interface StoredOptions {
  databaseUrl: string;
  rules: PlaceRules;
  /** Sessions of the catalog in this process. */
  queries: number;
  pinned: number;
  /** Repositories that stay open. */
  repositoriesMax?: number;
  /** How soon the work of a dead process is free for others. */
  lockTimes?: { renewMs: number; deadMs: number };
  /** When runs begin; default: the present. */
  now?: () => Date;
}

/** A worker that died is replaced within a minute. */
const LOCK_TIMES = { renewMs: 10_000, deadMs: 40_000 };
/** Each is a client of a store and some kilobytes of keys. */
const REPOSITORIES_MAX = 200;

/** Opens nothing yet. A repository that was not used for longest is forgotten, and goes when the work that uses it has ended. */
export function openStoredRepositories(options: StoredOptions): StoredRepositories {
  const { databaseUrl, rules, queries, pinned, repositoriesMax = REPOSITORIES_MAX, lockTimes = LOCK_TIMES } = options;
  const opening = { lockTimes, program: 'keepwatch', ...(options.now !== undefined && { now: options.now }) };
  const opened = new Map<string, Promise<Stored>>();
  const catalog = remembered(() => openCatalog(databaseUrl, {}, { queries, pinned }));

  async function openNow({ place, immutableDays, secrets }: OpeningOrder): Promise<Stored> {
    const store = await openPlace(place, { immutableDays, secrets }, rules);
    try {
      const repository = await openRepository(store, secrets.password, opening);
      return { repository, catalog: await (await catalog.get()).repository(repository.id) };
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  return {
    rules,
    catalog: catalog.get,
    openAfresh: openNow,
    open(order) {
      const found = opened.get(order.key) ?? openNow(order);
      // Last in the order of the map: it is the one that was used last.
      opened.delete(order.key);
      opened.set(order.key, found);
      found.catch(() => opened.delete(order.key));
      for (const [oldest] of opened) {
        if (opened.size <= repositoriesMax) break;
        opened.delete(oldest);
      }
      return found;
    },
    async close() {
      const closing = [...opened.values()].map(async (one) => (await one).repository.close());
      await Promise.allSettled(closing);
      await (await catalog.opened)?.close();
    },
  };
}

/** Does something once; what failed is done again when it is next asked for. */
function remembered<T>(make: () => Promise<T>) {
  const memory = {
    opened: null as Promise<T> | null,
    get(): Promise<T> {
      memory.opened ??= make().catch((error: unknown) => {
        memory.opened = null;
        throw error;
      });
      return memory.opened;
    },
  };
  return memory;
}
