import type { ListedObject, RepositoryCatalog } from '@keepwatch/engine/engine';
import type { Identified } from './coverage.ts';

type Covers = (object: Identified) => boolean;

/** What says nothing of any object: the places of chunks, whose ids are in the versions that are shown, and the jobs. */
const FREE: ReadonlySet<string | symbol> = new Set(['locate', 'locateAgain', 'listJobs']);

/**
 * A catalog that shows some objects, and of all others that they are not there. What it does not know how to limit it refuses, so that a
 * function that the engine gains shows nothing before it has a place here.
 */
export function limitedCatalog(catalog: RepositoryCatalog, covers: Covers): RepositoryCatalog {
  const limited = new Map<string | symbol, unknown>(Object.entries(limits(catalog, covers)));
  return new Proxy(catalog, {
    get(whole, name) {
      if (limited.has(name)) return limited.get(name);
      const value: unknown = Reflect.get(whole, name, whole);
      if (typeof value !== 'function') return undefined;
      if (FREE.has(name)) return value.bind(whole);
      throw new Error(`The catalog's ${String(name)} is not limited to what a restore operator may see.`);
    },
  });
}

type Limits = Pick<
  RepositoryCatalog,
  | 'object'
  | 'findObjects'
  | 'restorePointObjects'
  | 'listRestorePoints'
  | 'browse'
  | 'item'
  | 'versionsOf'
  | 'changes'
  | 'digest'
  | 'walk'
  | 'weigh'
  | 'objectFindings'
  | 'currentIds'
  | 'current'
  | 'search'
>;

function limits(catalog: RepositoryCatalog, covers: Covers): Limits {
  const isShown = remembering(catalog, covers);
  /** Asks about an object that is shown; about another one the answer is that there is nothing. */
  const ifShown = async <T>(key: string, ask: () => Promise<T>, nothing: T): Promise<T> =>
    (await isShown(key)) ? ask() : nothing;
  return {
    async object(key) {
      const found = await catalog.object(key);
      return found !== null && covers(found) ? found : null;
    },
    findObjects: (query) => findShown(catalog, covers, query),
    restorePointObjects: async (run) => (await catalog.restorePointObjects(run)).filter(({ object }) => covers(object)),
    listRestorePoints: (filter) =>
      filter.object === undefined
        ? catalog.listRestorePoints(filter)
        : ifShown(filter.object, () => catalog.listRestorePoints(filter), []),
    browse: (query) => ifShown(query.object, () => catalog.browse(query), { rows: [], next: null }),
    item: (object, revision, id) => ifShown(object, () => catalog.item(object, revision, id), null),
    versionsOf: (object, id) => ifShown(object, () => catalog.versionsOf(object, id), []),
    changes: (query, signal) => ifShown(query.object, () => catalog.changes(query, signal), { rows: [], next: null }),
    digest: (object, ...rest) => ifShown(object, () => catalog.digest(object, ...rest), { items: 0, digest: '' }),
    async *walk(object, ...rest) {
      if (await isShown(object)) yield* catalog.walk(object, ...rest);
    },
    weigh: (object, revision, items) =>
      ifShown(object, () => catalog.weigh(object, revision, items), { items: 0, bytes: 0 }),
    objectFindings: (object, ...rest) => ifShown(object, () => catalog.objectFindings(object, ...rest), null),
    async *currentIds(object, ...rest) {
      if (await isShown(object)) yield* catalog.currentIds(object, ...rest);
    },
    current: (object, ids) => ifShown(object, () => catalog.current(object, ids), new Map()),
    search: (query, signal) => searchShown(catalog, covers, query, signal),
  };
}

/** Looks each object up once. */
function remembering(catalog: RepositoryCatalog, covers: Covers): (key: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (key) => {
    const asked = known.get(key) ?? catalog.object(key).then((found) => found !== null && covers(found));
    known.set(key, asked);
    return asked;
  };
}

type ObjectQuery = Parameters<RepositoryCatalog['findObjects']>[0];
type ObjectPage = Awaited<ReturnType<RepositoryCatalog['findObjects']>>;

/** A page that has at least one row unless it is the last: a probe for one object asks whether there is any. */
async function findShown(catalog: RepositoryCatalog, covers: Covers, query: ObjectQuery): Promise<ObjectPage> {
  for (let page = await catalog.findObjects(query); ; ) {
    const rows: ListedObject[] = page.rows.filter((object) => covers(object));
    if (rows.length > 0 || page.next === null) return { rows, next: page.next };
    page = await catalog.findObjects({ ...query, after: page.next });
  }
}

type SearchQuery = Parameters<RepositoryCatalog['search']>[0];
type SearchPage = Awaited<ReturnType<RepositoryCatalog['search']>>;

/** Objects by which a search is narrowed; where more are shown its hits are looked through instead. */
const NARROWED_BY_MAX = 1_000;
const OBJECTS_A_PAGE = 1_000;

/** Hits in what is shown, as many as were asked for unless there are no more, or the catalog ends a page early itself. */
async function searchShown(
  catalog: RepositoryCatalog,
  covers: Covers,
  query: SearchQuery,
  signal: AbortSignal | undefined,
): Promise<SearchPage> {
  const objects = query.objects ?? (await someShown(catalog, covers, query));
  if (objects?.length === 0) return { hits: [], next: null };
  const narrowed = objects === null ? query : { ...query, objects };
  const shown: SearchPage['hits'] = [];
  for (let after = query.after; ; ) {
    const { hits, next } = await catalog.search(after === undefined ? narrowed : { ...narrowed, after }, signal);
    for (const hit of hits) {
      if (covers(hit.object)) shown.push(hit);
      if (shown.length === query.limit) return { hits: shown, next: hit === hits.at(-1) ? next : hit.cursor };
    }
    if (next === null || hits.length < query.limit) return { hits: shown, next };
    after = next;
  }
}

/** The keys of all objects that are shown; `null` where they are many. */
async function someShown(
  catalog: RepositoryCatalog,
  covers: Covers,
  { organizationId, restorePoint }: SearchQuery,
): Promise<string[] | null> {
  const of = {
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(restorePoint === undefined ? {} : { restorePoints: [restorePoint] }),
  };
  const keys: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const query: ObjectQuery = { ...of, limit: OBJECTS_A_PAGE, ...(after === undefined ? {} : { after }) };
    const page: ObjectPage = await catalog.findObjects(query);
    keys.push(...page.rows.filter((object) => covers(object)).map(({ key }) => key));
    if (keys.length > NARROWED_BY_MAX) return null;
    after = page.next;
  }
  return keys;
}
