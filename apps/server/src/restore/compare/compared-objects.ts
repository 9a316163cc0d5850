import type { SessionType } from '@keepwatch/contract/restore/sessions';
import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import { isLibraryOf, parentAddress } from '../explorers/site-tree.ts';
import { isOfExplorer, KINDS_OF } from '../explorers/wire-ids.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type ObjectKind, objectsOf, type SessionObject } from '../sessions/session-objects.ts';
import { CONTAINERS } from './compared-kinds.ts';
import { objectRow } from './compared-row.ts';
import type { ComparedPart, Sessions } from './comparison.ts';

/** What is at the top of each explorer. */
const TOPS: Readonly<Record<SessionType, readonly ObjectKind[]>> = {
  vex: ['mailbox', 'archive'],
  veod: ['drive'],
  vesp: ['site'],
  vet: ['team', 'chats'],
};

type Lister = (opened: OpenedSession) => AsyncIterable<SessionObject>;

/** All that is at the top of an explorer. */
async function* topOf(opened: OpenedSession): AsyncGenerator<SessionObject> {
  const type = opened.session.sessionType;
  for await (const object of objectsOf(opened, { kinds: TOPS[type] })) if (isOfExplorer(type, object)) yield object;
}

/** Which objects appeared, vanished, or have something in them that is not the same. */
export function comparedObjects({ opened, other }: Sessions, list: Lister = topOf): ComparedPart {
  return async ({ change, limit, after }, gone) => {
    const [now, before] = [await statesOf(opened, list), await statesOf(other, list)];
    const candidates = candidatesOf(now, before).filter(({ what }) => change === undefined || what === change);
    const data: ComparedRow[] = [];
    const from = Number(after ?? 0);
    const end = Math.min(candidates.length, from + LOOKED_AT_MAX);
    let at = from;
    for (; at < end && data.length < limit; at += 1) {
      const candidate = candidates[at];
      if (candidate !== undefined && (await isShown(opened, candidate, gone)))
        data.push(objectRow(opened, candidate.object, candidate.what));
    }
    return { data, _next: at < candidates.length ? String(at) : null };
  };
}

/** What is other in an object may be what no explorer shows, such as settings: a page looks into so many at most. */
const LOOKED_AT_MAX = 500;

/** An object with its libraries, as one restore point has them. */
interface State {
  object: SessionObject;
  parts: readonly SessionObject[];
}

type States = ReadonlyMap<string, State>;

interface Candidate {
  what: ComparedRow['change'];
  object: SessionObject;
  now: readonly SessionObject[];
  before: readonly SessionObject[];
}

function candidatesOf(now: States, before: States): Candidate[] {
  const found: Candidate[] = [];
  for (const [key, { object, parts }] of now) {
    const earlier = before.get(key);
    const what = earlier === undefined ? 'appeared' : 'changed';
    if (earlier === undefined || statesText(parts) !== statesText(earlier.parts))
      found.push({ what, object, now: parts, before: earlier?.parts ?? [] });
  }
  for (const [key, { object, parts }] of before)
    if (!now.has(key)) found.push({ what: 'vanished', object, now: [], before: parts });
  return found;
}

/** A revision is the next one where something changed: equal texts mean equal contents. */
const statesText = (parts: readonly SessionObject[]) =>
  parts
    .map(({ key, repositoryId, revision }) => [repositoryId, key, revision].join(' '))
    .toSorted()
    .join(', ');

async function isShown(opened: OpenedSession, { what, now, before }: Candidate, gone: AbortSignal): Promise<boolean> {
  if (what !== 'changed' || now.length !== before.length) return true;
  const kinds = [...KINDS_OF[opened.session.sessionType], ...CONTAINERS];
  for (const { key, repositoryId, revision, stored } of now) {
    const earlier = before.find((one) => one.key === key && one.repositoryId === repositoryId);
    if (earlier === undefined) return true;
    if (earlier.revision === revision) continue;
    const query = { object: key, from: earlier.revision, to: revision, parentId: null, kinds, limit: 1 };
    const { rows, next } = await stored.catalog.changes(query, gone);
    if (rows.length > 0 || next !== null) return true;
  }
  return false;
}

/** Each object with its libraries. */
async function statesOf(opened: OpenedSession, list: Lister): Promise<States> {
  const states = new Map<string, State>();
  const libraries = await librariesByPlace(opened);
  for await (const object of list(opened))
    states.set(`${object.kind} ${object.id}`, { object, parts: [object, ...libraries(object)] });
  return states;
}

/** Finds the libraries of a site or team: by whose they are, and by the address of the site that they are in. */
async function librariesByPlace(opened: OpenedSession): Promise<(object: SessionObject) => SessionObject[]> {
  const type = opened.session.sessionType;
  if (type === 'vex' || type === 'veod') return () => [];
  const found = new Map<string, SessionObject[]>();
  for await (const drive of objectsOf(opened, { kinds: ['drive'] })) {
    if (!isOfExplorer(type, drive)) continue;
    for (const place of [drive.owner ?? '', parentAddress(drive)])
      if (place !== '') found.set(place, [...(found.get(place) ?? []), drive]);
  }
  return (object) =>
    object.kind === 'team'
      ? [`team/${object.id}`, `group/${object.id}`].flatMap((owner) => found.get(owner) ?? [])
      : [`site/${object.id}`, (object.address ?? '').toLowerCase().replace(/\/+$/, '')]
          .flatMap((place) => found.get(place) ?? [])
          .filter((drive, at, all) => all.indexOf(drive) === at && isLibraryOf(drive, object));
}
