import { EngineError } from '../../../model/engine-error.ts';
import { inOrder } from '../../../model/in-order.ts';
import type { ObjectKind, ProtectedObject } from '../../../model/protected-object.ts';
import type { FoundSubject, ListingNote, SelectedItem, Selection } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { brokenList, isOfItAlone, Unreachable } from './listing-notes.ts';
import { objectsOf } from './objects-of.ts';
import { subjectsOf } from './selected-subjects.ts';
import { allSites } from './sites.ts';
import { allGroups, allUsers, KINDS_OF, keyOf, type Subject } from './subject.ts';

/** Subjects asked at one time for what hangs on them. */
const SUBJECTS_AT_ONCE = 8;

const GROUPS_UNREADABLE =
  'The application may not find the groups of the tenant: their conversations are not backed up. Grant it Group.Read.All.';

interface Covered {
  subject: Subject;
  kinds: ReadonlySet<ObjectKind>;
}

/** What a listing is of. */
interface Listing {
  connection: GraphConnection;
  selection: Selection;
  signal: AbortSignal;
  onFound(found: FoundSubject): void;
}

/** The contract is `Source.listObjects`. Persons come first, then teams and groups, then sites: a library of a team is listed as the team's. */
export async function* listObjects(
  connection: GraphConnection,
  selection: Selection,
  signal: AbortSignal,
  onFound: (found: FoundSubject) => void = () => undefined,
): AsyncGenerator<ProtectedObject | ListingNote> {
  const listing = { connection, selection, signal, onFound };
  const { kindsBySubject, notes } = await exclusions(listing);
  yield* notes;
  const unreachable = new Unreachable();
  const covered = selection.scope === 'everything' ? everything(listing) : selected(listing);
  const lists = inOrder(covered, SUBJECTS_AT_ONCE, async (found) => {
    if ('code' in found) return [found];
    const { subject, kinds } = found;
    const without = kindsBySubject.get(keyOf(subject));
    const left = new Set([...kinds].filter((kind) => !without?.has(kind)));
    return objectsOf({ connection, subject, signal, hasAllSites: hasAllSites(selection) }, left, unreachable);
  });
  yield* eachOnce(lists);
}

async function* eachOnce(
  lists: AsyncIterable<(ProtectedObject | ListingNote)[]>,
): AsyncGenerator<ProtectedObject | ListingNote> {
  const seen = new Set<string>();
  for await (const objects of lists) {
    for (const object of objects) {
      const key = keyOfListed(object);
      if (!seen.has(key)) yield object;
      seen.add(key);
    }
  }
}

function keyOfListed(listed: ProtectedObject | ListingNote): string {
  if ('kind' in listed) return `${listed.kind}/${listed.id}`;
  const { unknown, message } = listed;
  return unknown === undefined ? `note/${message}` : `unknown/${unknown.kind}/${unknown.id}`;
}

async function* selected(listing: Listing): AsyncGenerator<Covered | ListingNote> {
  const { selection } = listing;
  for (const item of selection.include.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    if (item.type === 'all') {
      yield* listed(listing, item);
      continue;
    }
    for (const found of await foundOf(listing, item))
      yield 'code' in found ? found : { subject: found, kinds: kindsOf(selection, found, item) };
  }
}

/** What a selected or excluded item is, of which the caller of the listing hears too. */
async function foundOf(
  { connection, signal, onFound }: Listing,
  item: SelectedItem,
): Promise<(Subject | ListingNote)[]> {
  const all = (await subjectsOf(connection, item, signal)) ?? [goneAlert(item)];
  for (const found of all) if (!('code' in found)) onFound({ item, subject: keyOf(found), address: found.address });
  return all;
}

/** In which order selected items are listed: a library of a team that is selected with its site is the team's all the same. */
function turnOf({ type, id }: SelectedItem): number {
  const what = type === 'all' ? id : type;
  if (what === 'user' || what === 'users') return 0;
  return what === 'site' || what === 'sites' || what === 'personal-sites' ? 2 : 1;
}

async function* everything(listing: Listing): AsyncGenerator<Covered | ListingNote> {
  const { connection, selection, signal } = listing;
  const wants = (...kinds: readonly ObjectKind[]) => kinds.some((kind) => selection.kinds.includes(kind));
  if (wants('mailbox', 'archive', 'drive', 'chats'))
    yield* coveredOf(listing, 'the persons', allUsers(connection, signal));
  if (wants('team', 'mailbox', 'planner')) yield* coveredOf(listing, 'the groups', allGroups(connection, signal));
  if (wants('site', 'drive')) yield* coveredOf(listing, 'the sites', allSites(connection, signal));
}

/** What a job covers of a whole list. */
async function* listed(listing: Listing, item: SelectedItem): AsyncGenerator<Covered | ListingNote> {
  const { connection, signal } = listing;
  if (item.id === 'users') yield* coveredOf(listing, 'the persons', allUsers(connection, signal), item);
  if (item.id === 'groups') yield* coveredOf(listing, 'the groups', allGroups(connection, signal), item);
  if (item.id !== 'sites' && item.id !== 'personal-sites') return;
  for await (const found of coveredOf(listing, 'the sites', allSites(connection, signal), item))
    if ('code' in found || found.subject.isPersonal === (item.id === 'personal-sites')) yield found;
}

/** All libraries of sites are listed with their sites. */
const hasAllSites = ({ scope, include }: Selection) =>
  scope === 'everything' ||
  include.some(({ type, id, kinds }) => type === 'all' && id === 'sites' && kinds?.includes('drive') !== false);

/** The subjects of a list that are covered. A list that is refused or breaks off is reported, and the next list goes on. */
async function* coveredOf(
  { selection }: Listing,
  list: string,
  subjects: AsyncIterable<Subject | ListingNote>,
  item?: SelectedItem,
): AsyncGenerator<Covered | ListingNote> {
  try {
    for await (const subject of subjects) {
      if ('code' in subject) yield subject;
      else if (!subject.isPersonal || selection.personalSites)
        yield { subject, kinds: kindsOf(selection, subject, item) };
    }
  } catch (error) {
    if (!isOfItAlone(error)) throw error;
    const isDispensable =
      list === 'the groups' && item === undefined && !NEED_GROUPS.some((kind) => selection.kinds.includes(kind));
    yield isDispensable && isForbidden(error)
      ? { code: 'groups-not-readable', message: GROUPS_UNREADABLE }
      : brokenList(list, error);
  }
}

/** Kinds that groups alone have. A backup of all mailboxes needs no permission to find groups; its lack is reported. */
const NEED_GROUPS: readonly ObjectKind[] = ['team', 'planner'];

const isForbidden = (error: EngineError) => error instanceof GraphError && error.code === 'consent-missing';

/**
 * Kinds by the subject they are excluded of.
 * @throws EngineError when an excluded group cannot be looked up: its members are unknown
 */
async function exclusions(listing: Listing) {
  const notes: ListingNote[] = [];
  const kindsBySubject = new Map<string, Set<ObjectKind>>();
  for (const item of listing.selection.exclude) {
    for (const found of await foundOf(listing, item)) {
      if ('code' in found) notes.push(found);
      else
        kindsBySubject.set(
          keyOf(found),
          new Set([...(kindsBySubject.get(keyOf(found)) ?? []), ...meantOf(item, found)]),
        );
    }
  }
  const refused = notes.find(({ unlisted }) => unlisted !== undefined);
  if (refused !== undefined) throw new EngineError('source-refused', `It is excluded from the job: ${refused.message}`);
  return { kindsBySubject, notes };
}

const meantOf = (item: SelectedItem, { type }: Subject): readonly ObjectKind[] => item.kinds ?? KINDS_OF[type];

/** The library of a personal site is the OneDrive of a person, and listed with that person. */
function kindsOf(selection: Selection, { type, isPersonal }: Subject, item?: SelectedItem): ReadonlySet<ObjectKind> {
  const meant = item?.kinds ?? selection.kinds;
  const kinds = KINDS_OF[type].filter((kind) => meant.includes(kind) && selection.kinds.includes(kind));
  return new Set(kinds.filter((kind) => !(isPersonal && kind === 'drive')));
}

function goneAlert({ type, id }: SelectedItem): ListingNote {
  const message = `The ${type} ${id} is selected in the job and is not in the tenant any more. Take it out of the job.`;
  return { code: 'selected-object-gone', message };
}
