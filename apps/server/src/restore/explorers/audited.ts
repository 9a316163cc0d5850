import { record, recordOnce } from '../../audit/audit.ts';
import type { Audited, SignedInContext } from '../../foundation/http/context.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';

/** Records that content of a backup was looked at or given out, under the action of the call. */
export function recordLook(
  context: SignedInContext & Audited,
  opened: Pick<OpenedSession, 'session' | 'organization'>,
  what: Readonly<Record<string, unknown>>,
): Promise<void> {
  return record(context.database, context, entryOf(context, opened, what));
}

/**
 * Records that a place of a backup was opened: once in a session, which is of one person, whichever page of it was asked for first, and however
 * often it is opened again.
 */
export function recordPlace(
  context: SignedInContext & Audited,
  opened: Pick<OpenedSession, 'session' | 'organization'>,
  { object: { id } }: Pick<FoundObject, 'object'>,
  place: Readonly<Record<string, unknown>>,
): Promise<void> {
  // Two people may have the same name.
  return recordOnce(context.database, context, entryOf(context, opened, { ...place, id }));
}

/** Records a search: each time it begins, and once where a caller begins with a later page. */
export function recordSearch(
  context: SignedInContext & Audited,
  opened: Pick<OpenedSession, 'session' | 'organization'>,
  { isLaterPage, ...asked }: Readonly<Record<string, unknown>> & { isLaterPage: boolean },
): Promise<void> {
  const entry = entryOf(context, opened, asked);
  return isLaterPage ? recordOnce(context.database, context, entry) : record(context.database, context, entry);
}

function entryOf(
  { audit: action }: Audited,
  { session, organization }: Pick<OpenedSession, 'session' | 'organization'>,
  what: Readonly<Record<string, unknown>>,
) {
  const target = { kind: 'restore-session', id: session.id };
  return { action, target, after: { organization: organization.name, ...what } };
}
