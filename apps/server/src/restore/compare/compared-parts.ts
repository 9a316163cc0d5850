import { CONTENT_SUFFIX, ROOT, SUBSITES_SUFFIX } from '@keepwatch/contract/restore/explorer';
import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import { compareRevisions, type ItemKind, type ItemVersion } from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import { owningSites } from '../explorers/sites/owning-site.ts';
import { pagesNode } from '../explorers/sites/site-rows.ts';
import { isDirectlyBelow, librariesOf, libraryName, subsitesOf } from '../explorers/sites/site-tree.ts';
import { channelFolder, librariesOfTeam } from '../explorers/team-files.ts';
import { KINDS_OF, requireContainer } from '../explorers/wire-ids.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import { CONTAINERS } from './compared-kinds.ts';
import { comparedObjects } from './compared-objects.ts';
import { itemRow, libraryRow } from './compared-row.ts';
import type { ComparedPart, Comparison, Sessions } from './comparison.ts';

type Place = Required<Pick<Comparison, 'objectId'>> & Pick<Comparison, 'parentId' | 'types'>;

/** What a place is made of at both restore points. @throws 404 where one of them does not show it, 409 where they are in different repositories */
export async function partsOf(
  sessions: Sessions,
  { objectId = '', parentId, types }: Partial<Place>,
): Promise<{ name: string; parts: ComparedPart[] }> {
  const isSite = sessions.opened.session.sessionType === 'vesp';
  const node = isSite ? nodeOfSite(objectId, parentId) : null;
  const place = node === null ? parentId : undefined;
  const now = await requireContainer(sessions.opened, objectId, place);
  const before = await requireContainer(sessions.other, objectId, place);
  const pair: Pair = { now: now.found, before: before.found };
  const { container } = now;
  const kinds = [...(types ?? KINDS_OF[sessions.opened.session.sessionType]), ...containersOf(types)];
  const { kind, name } = pair.now.object;
  if (node !== null) return { name, parts: await partsOfSite(sessions, pair, node, kinds) };
  const own = within(sessions, pair, container, kinds);
  if (kind !== 'team') return { name, parts: [own] };
  if (container === null) return { name, parts: [own, ...(await teamLibraries(sessions, pair))] };
  const hasFiles = types === undefined || types.includes('file');
  return { name, parts: [own, ...(hasFiles ? await filesOfChannel(sessions, pair, container) : [])] };
}

async function partsOfSite(
  sessions: Sessions,
  pair: Pair,
  node: SiteNode,
  kinds: readonly ItemKind[],
): Promise<ComparedPart[]> {
  if (node === 'pages') return [within(sessions, pair, null, ['page'])];
  if (node === 'subsites') return [subsites(sessions, pair)];
  const now = await librariesOf(sessions.opened, pair.now);
  const libraries = ofLibraries(sessions, now, await librariesOf(sessions.other, pair.before));
  // SharePoint has each library as a list, too: it is shown once.
  const names = new Set(now.map(libraryName));
  const isShown: IsShown = ({ kind, name, details }) =>
    kind !== 'list' || details.role !== 'documentLibrary' || !names.has(name);
  const content = [within(sessions, pair, null, kinds, isShown), ...libraries];
  return node === 'site' ? [...content, subsites(sessions, pair)] : content;
}

/** With some kinds alone, folders are shown where files are. */
function containersOf(types: readonly ItemKind[] | undefined): readonly ItemKind[] {
  if (types === undefined) return CONTAINERS;
  return types.includes('file') ? ['folder'] : [];
}

type SiteNode = 'site' | 'subsites' | 'content' | 'pages';

/** Which of the nodes of a site is meant, which are no folders (specification "microsoft365", part 3). */
function nodeOfSite(siteId: string, parentId: string | undefined): SiteNode | null {
  if (parentId === undefined || parentId === ROOT || parentId === siteId) return 'site';
  if (parentId === `${siteId}${SUBSITES_SUFFIX}`) return 'subsites';
  if (parentId === `${siteId}${CONTENT_SUFFIX}`) return 'content';
  return parentId === pagesNode(siteId) ? 'pages' : null;
}

/** An object at both restore points. */
interface Pair {
  now: FoundObject;
  before: FoundObject;
}

type IsShown = (item: ItemVersion) => boolean;

/** What differs in an object, or in one of its folders with all below it. */
function within(
  { opened }: Sessions,
  { now, before }: Pair,
  container: string | null,
  kinds: readonly ItemKind[],
  isShown: IsShown = () => true,
): ComparedPart {
  if (now.repositoryId !== before.repositoryId)
    throw new Refusal(
      409,
      'CANNOT_COMPARE',
      'These restore points are in different repositories. Choose two of the same repository.',
    );
  return async ({ change, limit, after }, gone) => {
    const { rows, next } = await compareRevisions(
      now.stored,
      {
        object: now.object.key,
        from: before.revision,
        to: now.revision,
        parentId: container,
        kinds,
        limit,
        ...(change === undefined ? {} : { what: [change] }),
        ...(after === undefined ? {} : { after }),
      },
      gone,
    );
    const shown = rows.filter(({ version }) => isShown(version));
    const siteId = await owningSites(opened)(now.object);
    return { data: shown.map((row) => itemRow(opened, now, row, siteId)), _next: next };
  };
}

function subsites(sessions: Sessions, { now, before }: Pair): ComparedPart {
  const siteIn = (opened: OpenedSession) => (opened === sessions.other ? before : now);
  return comparedObjects(sessions, {
    rows: (opened, after) => subsitesOf(opened, siteIn(opened), after),
    has: (opened, { address }) => isDirectlyBelow(address, siteIn(opened).object.address),
  });
}

async function teamLibraries(sessions: Sessions, { now }: Pair): Promise<ComparedPart[]> {
  const { opened, other } = sessions;
  const { id } = now.object;
  return ofLibraries(sessions, await librariesOfTeam(opened, id), await librariesOfTeam(other, id));
}

function ofLibraries(sessions: Sessions, now: readonly FoundObject[], before: readonly FoundObject[]): ComparedPart[] {
  const earlier = new Map(before.map((library) => [library.object.id, library]));
  const known = new Set(now.map(({ object }) => object.id));
  const kinds: readonly ItemKind[] = ['file', 'folder'];
  return [
    ...now.map((library) => {
      const same = earlier.get(library.object.id);
      if (same === undefined) return whole(sessions.opened, library, 'appeared');
      return within(sessions, { now: library, before: same }, null, kinds);
    }),
    ...before
      .filter(({ object }) => !known.has(object.id))
      .map((library) => whole(sessions.opened, library, 'vanished')),
  ];
}

function whole(opened: OpenedSession, library: FoundObject, what: ComparedRow['change']): ComparedPart {
  return async ({ change }) => ({
    data:
      change === undefined || change === what
        ? [libraryRow(opened, library, what, await owningSites(opened)(library.object))]
        : [],
    _next: null,
  });
}

/** What differs in the folders of a channel: it has one of its name in each library of the team. */
async function filesOfChannel(sessions: Sessions, { now, before }: Pair, channelId: string): Promise<ComparedPart[]> {
  const { opened, other } = sessions;
  const earlier = await librariesOfTeam(other, now.object.id);
  const parts: ComparedPart[] = [];
  for (const library of await librariesOfTeam(opened, now.object.id)) {
    const same = earlier.find(({ object }) => object.id === library.object.id);
    if (same === undefined) continue;
    const folder =
      (await channelFolder(opened, now, library, channelId)) ?? (await channelFolder(other, before, same, channelId));
    if (folder !== null) parts.push(within(sessions, { now: library, before: same }, folder, ['file', 'folder']));
  }
  return parts;
}
