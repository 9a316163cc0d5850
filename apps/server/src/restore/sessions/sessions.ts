import type { SessionType } from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { Actor } from '../../foundation/http/context.ts';
import { update } from '../../foundation/table-writes.ts';
import { restoreSessions } from '../tables.ts';
import type { SessionPoint } from './session-point.ts';

export interface SessionRow {
  providerId: number;
  id: string;
  companyId: string;
  organizationId: string;
  userId: string;
  sessionType: SessionType;
  jobId: string | null;
  at: string;
  showDeleted: boolean;
  points: readonly SessionPoint[];
  createdAt: string;
  endsAt: string;
  stoppedAt: string | null;
}

/** A session ends after this time at the latest. */
export const SESSION_MS = 12 * 60 * 60 * 1_000;

/** Names a session in the users logs by the instant that it shows. */
export const nameOfRestoreSession: NameOfTarget = (scope, id) =>
  sql`select to_char(t.at, 'YYYY-MM-DD HH24:MI') || ' UTC' from restore_sessions t where ${scope.rows('t')} and t.id = ${id}`;

/** The session of the caller. @throws 404 for one of another user, or outside of the caller's companies */
export async function requireSession(
  connection: Connection,
  { scope, userId }: Pick<Actor, 'scope' | 'userId'>,
  id: string,
): Promise<SessionRow> {
  const found = await row<SessionRow>(
    connection,
    sql`select s.provider_id as "providerId", s.id, s.company_id as "companyId", s.organization_id as "organizationId", s.user_id as "userId",
          s.session_type as "sessionType", s.job_id as "jobId", s.at, s.show_deleted as "showDeleted", s.points, s.created_at as "createdAt",
          s.ends_at as "endsAt", s.stopped_at as "stoppedAt"
        from restore_sessions s where ${scope.rows('s')} and s.user_id = ${userId} and s.id = ${id}`,
  );
  if (found === null) throw notFound('restore session');
  return found;
}

/** The same of a session that goes on. @throws 409 for one that has ended */
export async function requireOpenSession(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  id: string,
  now: Date,
): Promise<SessionRow> {
  const session = await requireSession(connection, actor, id);
  if (isOpen(session, now)) return session;
  throw sessionEnded();
}

/** Of a session whose time is over, and of one that has no restore point left. */
export const sessionEnded = () =>
  new Refusal(409, 'RESTORE_SESSION_ENDED', 'This restore session has ended. Open the restore point again.');

export function isOpen({ stoppedAt, endsAt }: Pick<SessionRow, 'stoppedAt' | 'endsAt'>, now: Date): boolean {
  return stoppedAt === null && Date.parse(endsAt) > now.getTime();
}

export function stopSession(
  connection: Connection,
  { providerId, id }: Pick<SessionRow, 'providerId' | 'id'>,
  now: Date,
): Promise<number> {
  return update(connection, restoreSessions, { stoppedAt: now }, { providerId, id });
}
