import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import type { ComparedItem, ItemVersion } from '@keepwatch/engine/engine';
import { instantText } from '../explorers/browse-object.ts';
import { foundRow } from '../explorers/search-session.ts';
import { libraryName } from '../explorers/sites/site-tree.ts';
import { wireIds } from '../explorers/wire-ids.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { SessionObject } from '../sessions/repository-objects.ts';
import type { FoundObject } from '../sessions/session-objects.ts';

/** An item that is not the same at both restore points. @param siteId that shows it, where its library does not say */
export function itemRow(
  opened: OpenedSession,
  { object }: FoundObject,
  item: ComparedItem,
  siteId: string | null,
): ComparedRow {
  const { what, version, path, other, otherPath } = item;
  return {
    ...foundRow(opened, object, version, [...path], siteId),
    change: what,
    endedAt: what === 'vanished' ? instantText(version.endedAt) : null,
    before: other === null ? null : beforeOf(other, otherPath ?? []),
  };
}

function beforeOf({ name, sizeBytes, modifiedAt, details }: ItemVersion, path: readonly string[]) {
  const date = instantText(details.receivedAt ?? details.sentAt ?? details.startsAt ?? modifiedAt);
  return { name, path: [...path], sizeBytes, date };
}

const NOTHING_MORE = { parentId: null, path: [], from: null, date: null, sizeBytes: 0, endedAt: null, before: null };

/** A mailbox, OneDrive, site, team or person's chats. */
export function objectRow(
  { session }: OpenedSession,
  object: Pick<SessionObject, 'kind' | 'id' | 'name' | 'owner'>,
  change: ComparedRow['change'],
): ComparedRow {
  const { objectId } = wireIds(session.sessionType, object);
  const name = object.kind === 'archive' ? `${object.name} (archive)` : object.name;
  return { ...NOTHING_MORE, id: objectId, objectId, objectName: name, type: typeOf(object), name, change };
}

/** A library that is at one of the restore points alone: all that is in it came or went with it. */
export function libraryRow(
  opened: OpenedSession,
  library: FoundObject,
  change: ComparedRow['change'],
  siteId: string | null,
): ComparedRow {
  const { object } = library;
  const row = objectRow(opened, object, change);
  return { ...row, id: object.id, objectId: siteId ?? row.objectId, type: 'library', name: libraryName(library) };
}

function typeOf({ kind }: Pick<SessionObject, 'kind'>): string {
  if (kind === 'archive') return 'mailbox';
  return kind === 'drive' ? 'onedrive' : kind;
}
