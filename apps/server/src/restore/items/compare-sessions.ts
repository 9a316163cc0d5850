import type { ComparedItem as ComparedRow } from '@keepwatch/contract/restore/versions';
import { type ComparedItem, compareRevisions, type ItemKind, type ItemVersion } from '@keepwatch/engine/engine';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { instantText } from '../explorers/browse-object.ts';
import { foundRow } from '../explorers/search-session.ts';
import { KINDS_OF, requireContainer } from '../explorers/wire-ids.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';

/** What is compared, and which page of what differs. */
export interface Comparison {
  objectId: string;
  parentId?: string | undefined;
  change?: ComparedRow['change'] | undefined;
  limit: number;
  after?: string | undefined;
}

/** Folders are shown as what vanished, too: a folder is restored with one press. */
const CONTAINERS: readonly ItemKind[] = ['folder', 'mail-folder', 'calendar', 'contact-folder', 'task-list', 'channel'];

/** Compares a folder in the restore point of a session with the same folder in that of another one. */
export async function compareSessions(
  { opened, other }: { opened: OpenedSession; other: OpenedSession },
  { objectId, parentId, change, limit, after }: Comparison,
  gone: AbortSignal,
): Promise<{ name: string; page: { data: ComparedRow[]; _next: string | null } }> {
  if (opened.organization.id !== other.organization.id) throw notFound('restore session');
  const { found, container } = await containerIn(opened, other, objectId, parentId);
  const { rows, next } = await compareRevisions(
    found.now.stored,
    {
      object: found.now.object.key,
      from: found.before.revision,
      to: found.now.revision,
      parentId: container,
      kinds: [...KINDS_OF[opened.session.sessionType], ...CONTAINERS],
      limit,
      ...(change === undefined ? {} : { what: [change] }),
      ...(after === undefined ? {} : { after }),
    },
    gone,
  );
  const data = rows.map((row) => comparedRow(opened, found.now, row));
  return { name: found.now.object.name, page: { data, _next: next } };
}

/** The object in both sessions. @throws 404 where one of them does not show it, 409 where they are in different repositories */
async function containerIn(
  opened: OpenedSession,
  other: OpenedSession,
  objectId: string,
  parentId: string | undefined,
): Promise<{ found: { now: FoundObject; before: FoundObject }; container: string | null }> {
  const now = await requireContainer(opened, objectId, parentId);
  const before = await requireContainer(other, objectId, parentId);
  if (now.found.repositoryId !== before.found.repositoryId)
    throw new Refusal(
      409,
      'CANNOT_COMPARE',
      'These restore points are in different repositories. Choose two of the same repository.',
    );
  return { found: { now: now.found, before: before.found }, container: now.container };
}

function comparedRow(opened: OpenedSession, { object }: FoundObject, item: ComparedItem): ComparedRow {
  const { what, version, path, other, otherPath } = item;
  return {
    ...foundRow(opened, object, version, [...path]),
    change: what,
    endedAt: what === 'vanished' ? instantText(version.endedAt) : null,
    before: other === null ? null : beforeOf(other, otherPath ?? []),
  };
}

function beforeOf({ name, sizeBytes, modifiedAt, details }: ItemVersion, path: readonly string[]) {
  const date = instantText(details.receivedAt ?? details.sentAt ?? details.startsAt ?? modifiedAt);
  return { name, path: [...path], sizeBytes, date };
}
