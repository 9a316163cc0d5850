import type { DirectoryQuery } from './directory-query.ts';
import { DirectoryWalk } from './directory-walk.ts';

/** What is read of directories is forgotten after so long: who was added is found then. */
const LIFETIME_MS = 120_000;
/** Rows of all lists of the process together, about 200 bytes each. */
const ROWS_MAX = 250_000;
const WALKS_MAX = 500;

/** The first page comes quickly; who scrolls on gets as many rows a request as Microsoft gives. */
const TOPS = { first: 100, further: 999 };

interface KnownWalk {
  walk: DirectoryWalk;
  startedMs: number;
}

/** Lists of this process, the last used last. */
const walks = new Map<string, KnownWalk>();

/** The list of a query, as far as it was read. @param connection names the connection: after a change of the organization it is another list */
export function walkOf(
  connection: string,
  query: DirectoryQuery,
  end: number,
  nowMs: number,
): { key: string; walk: DirectoryWalk } {
  const top = end <= TOPS.first ? TOPS.first : TOPS.further;
  const key = JSON.stringify([connection, query, top]);
  const known = walks.get(key);
  walks.delete(key);
  const isCurrent = known !== undefined && nowMs - known.startedMs < LIFETIME_MS;
  const current = isCurrent ? known : { walk: new DirectoryWalk(query, top), startedMs: nowMs };
  walks.set(key, current);
  forgetMost();
  return { key, walk: current.walk };
}

/** Forgets a list that could not be read on. */
export function forgetWalk(key: string): void {
  walks.delete(key);
}

function forgetMost(): void {
  let rows = walks.values().reduce((sum, { walk }) => sum + walk.size, 0);
  for (const [key, { walk }] of walks) {
    if (walks.size <= 1 || (rows <= ROWS_MAX && walks.size <= WALKS_MAX)) return;
    rows -= walk.size;
    walks.delete(key);
  }
}
