import type { SessionType } from '@keepwatch/contract/restore/sessions';
import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import { invalid } from '../../foundation/errors.ts';
import { isOfExplorer } from '../explorers/wire-ids.ts';
import { batchesOf } from '../sessions/batches.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { ObjectKind, SessionObject } from '../sessions/repository-objects.ts';
import { objectsOf } from '../sessions/session-objects.ts';
import { objectRow } from './compared-row.ts';
import { type Budget, statesOf } from './compared-states.ts';
import type { ComparedPage, ComparedPart, Sessions } from './comparison.ts';

/** Objects of a session that are compared. */
export interface Listing {
  /** By name, behind a cursor. */
  rows(opened: OpenedSession, after: string | undefined): AsyncIterable<SessionObject>;
  /** Whether an object that was found by its id is one of them. */
  has(opened: OpenedSession, object: SessionObject): boolean;
}

const TOP_KINDS: Readonly<Record<SessionType, readonly ObjectKind[]>> = {
  vex: ['mailbox', 'archive'],
  veod: ['drive'],
  vesp: ['site'],
  vet: ['team', 'chats'],
};

/** What is at the top of an explorer. */
const TOP: Listing = {
  async *rows(opened, after) {
    const filter = { kinds: TOP_KINDS[opened.session.sessionType] };
    for await (const object of objectsOf(opened, filter, after)) if (TOP.has(opened, object)) yield object;
  },
  has: ({ session }, object) => isOfExplorer(session.sessionType, object),
};

/** What a page looks at at most: it is short then, and the next one goes on. Settings, which no explorer shows, may be all that changed in many objects. */
const OBJECTS_MAX = 500;
const ITEMS_MAX = 200_000;
const AT_ONCE = 100;

/** First what the later session has, and then what the earlier one alone has. */
const SIDES = ['opened', 'other'] as const;
type Side = (typeof SIDES)[number];
type Change = ComparedRow['change'] | undefined;

/** Which objects appeared, vanished, or have something in them that is not the same. A page reads what it looks at and not the whole lists. */
export function comparedObjects(sessions: Sessions, listing: Listing = TOP): ComparedPart {
  return async ({ change, limit, after }, gone) => {
    const data: ComparedRow[] = [];
    const budget: Budget = { objects: OBJECTS_MAX, items: ITEMS_MAX };
    for (const { side, from } of placesFrom(after, change)) {
      for await (const { object, what } of differences(sessions, listing, { side, from, budget }, gone)) {
        if (what !== null && (change === undefined || change === what))
          data.push(objectRow(sessions[side], object, what));
        budget.objects -= 1;
        if (data.length >= limit || budget.objects <= 0 || budget.items <= 0)
          return { data, _next: `${side} ${object.cursor}` } satisfies ComparedPage;
      }
    }
    return { data, _next: null };
  };
}

interface Place {
  side: Side;
  from: string | undefined;
}

/** Which lists a page reads, and from where on. */
function placesFrom(after: string | undefined, change: Change): Place[] {
  const [, at, from] = /^(opened|other) (.+)$/s.exec(after ?? '') ?? [];
  if (after !== undefined && from === undefined) throw invalid([{ path: 'query.after', message: REFUSED }]);
  const sides = SIDES.filter((side) => change === undefined || (change === 'vanished') === (side === 'other'));
  const places = sides.map((side) => ({ side, from: side === at ? from : undefined }));
  return places.slice(
    Math.max(
      0,
      places.findIndex(({ side }) => side === at),
    ),
  );
}

const REFUSED = 'must be the _next of the page before';

/** The objects of a side, each with what became of it; `null` where it is the same. */
async function* differences(
  sessions: Sessions,
  listing: Listing,
  { side, from, budget }: Place & { budget: Budget },
  gone: AbortSignal,
): AsyncGenerator<{ object: SessionObject; what: ComparedRow['change'] | null }> {
  const opposite = side === 'opened' ? sessions.other : sessions.opened;
  for await (const some of batchesOf(listing.rows(sessions[side], from), AT_ONCE)) {
    const same = await sameIn(opposite, listing, some);
    const states = side === 'opened' ? await statesOf(sessions, some, [...same.values()]) : null;
    for (const object of some) {
      gone.throwIfAborted();
      const counterpart = same.get(nameOf(object));
      if (counterpart === undefined) yield { object, what: side === 'opened' ? 'appeared' : 'vanished' };
      else if (states === null) yield { object, what: null };
      else yield { object, what: (await states.areEqual(object, counterpart, budget, gone)) ? null : 'changed' };
    }
  }
}

const nameOf = ({ kind, id }: Pick<SessionObject, 'kind' | 'id'>) => `${kind} ${id}`;

/** The same objects as another session shows them, whatever repository they are in there. */
async function sameIn(
  opened: OpenedSession,
  listing: Listing,
  these: readonly SessionObject[],
): Promise<ReadonlyMap<string, SessionObject>> {
  const found = new Map<string, SessionObject>();
  const kinds = [...new Set(these.map(({ kind }) => kind))];
  for await (const object of objectsOf(opened, { kinds, these }))
    if (listing.has(opened, object)) found.set(nameOf(object), object);
  return found;
}
