import { ROOT } from '@keepwatch/contract/restore/explorer';
import type { ItemKind, ItemVersion } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import type { PageRange, ShownPage } from './page-links.ts';

export type ItemSort = 'name' | '-name' | 'date' | '-date' | 'size' | '-size';

/** What to list of an object. */
export interface BrowseOrder extends PageRange {
  /** Id of the folder to look into; `Root` or none for the top. */
  parentId: string | undefined;
  kinds: readonly ItemKind[];
  sort: ItemSort;
}

/** Lists what is in a folder of an object as the session shows it. @throws 404 for a folder that is not there */
export async function browseObject(
  { session: { showDeleted } }: OpenedSession,
  { stored: { catalog }, object: { key }, revision }: FoundObject,
  { parentId, ...order }: BrowseOrder,
): Promise<ShownPage<ItemVersion>> {
  const parent = parentId === undefined || parentId === ROOT ? null : parentId;
  const { rows, next } = await catalog.browse({ object: key, revision, parentId: parent, showDeleted, ...order });
  if (rows.length === 0 && parent !== null && (await catalog.versionsOf(key, parent)).length === 0)
    throw notFound('folder');
  return { rows, isMore: next !== null };
}

const ROWS_A_PAGE = 1_000;

/** All that is in a folder of an object, read as far as it is asked for. @throws 404 for a folder that is not there */
export async function* rowsOf(
  opened: OpenedSession,
  object: FoundObject,
  order: Omit<BrowseOrder, keyof PageRange>,
): AsyncGenerator<ItemVersion> {
  for (let offset = 0; ; offset += ROWS_A_PAGE) {
    const { rows, isMore } = await browseObject(opened, object, { ...order, limit: ROWS_A_PAGE, offset });
    yield* rows;
    if (!isMore) return;
  }
}

/** Whether the state of an object no longer has a version that is shown all the same. */
export function isDeletedIn(revision: number, { lastRevision }: ItemVersion): boolean {
  return lastRevision !== null && lastRevision < revision;
}

/** An instant of the source in the form of replies; what is no instant is left out. */
export function instantText(value: string | Date | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 2000 || at.getUTCFullYear() > 2099
    ? null
    : at.toISOString();
}
