import type { ListingNote } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { groupsOf } from '../read-items.ts';
import { wholeList } from '../whole-list.ts';
import { isOfItAlone, refusedPart } from './listing-notes.ts';
import { type Subject, siteSubject } from './subject.ts';

/** Sites asked together for those below them. */
const GROUP = 20;

/**
 * All sites of the tenant, each before those below it: the list of all has the site collections alone.
 * https://learn.microsoft.com/graph/api/site-getallsites
 */
export async function* allSites(
  connection: GraphConnection,
  signal: AbortSignal,
): AsyncGenerator<Subject | ListingNote> {
  for await (const { value } of connection.pages({ path: '/sites/getAllSites', signal }))
    yield* withSitesBelow(connection, value.map(siteSubject), signal);
}

/** Sites with all below them. A personal site has none. */
export async function* withSitesBelow(
  connection: GraphConnection,
  sites: readonly Subject[],
  signal: AbortSignal,
): AsyncGenerator<Subject | ListingNote> {
  for (const group of groupsOf([...sites], GROUP)) {
    yield* group;
    const parents = group.filter(({ isPersonal }) => !isPersonal);
    const calls = parents.map(({ id }) => ({ path: path`/sites/${id}/sites` }));
    const replies = await connection.batch(calls, signal);
    for (const [index, parent] of parents.entries()) {
      try {
        const below = await wholeList(connection, replies[index], signal);
        if (below.length > 0) yield* withSitesBelow(connection, below.map(siteSubject), signal);
      } catch (error) {
        yield* noteOf(parent, error);
      }
    }
  }
}

/** A site that went meanwhile has no sites below it. */
function noteOf(site: Subject, error: unknown): ListingNote[] {
  if (!isOfItAlone(error)) throw error;
  const isGone = error instanceof GraphError && error.status === 404;
  return isGone ? [] : [refusedPart(site, 'the list of sites below it', error)];
}
