import {
  listRestorePoints,
  openRestoreSession,
  type RestoreSession,
  stopRestoreSession,
} from '@keepwatch/contract/restore/sessions';
import { change } from '../../audit/change.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { requireReach } from '../roles/reach.ts';
import { endSignIn, findProof, shownProof } from '../sign-in/sign-ins.ts';
import { restoreSessions } from '../tables.ts';
import { listPoints, pointsAt } from './restore-points.ts';
import { isOpen, requireSession, SESSION_MS, type SessionRow, stopSession } from './sessions.ts';

/** Restore points, and the sessions in which they are looked at. */
export function sessionCalls(services: RestoreServices): Route[] {
  return [list(services), open(services), stop];
}

function list(services: RestoreServices): Route {
  return answer(listRestorePoints, async (context, { query }) => {
    const { jobId, from, to } = query;
    const filter = { jobId, from: instantOf(from), to: instantOf(to) };
    return context.outside(() =>
      refusing(async () => listPoints(services, await requireReach(services, context, query), filter, query)),
    );
  });
}

const instantOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

function open(services: RestoreServices): Route {
  return answer(openRestoreSession, async (context, { body }) => {
    const { sessionType, showDeleted, datetime, jobId = null } = body;
    const { organization, points } = await context.outside(() =>
      refusing(async () => {
        const reach = await requireReach(services, context, body);
        return { ...reach, points: await pointsAt(services, reach, new Date(datetime), jobId) };
      }),
    );
    if (points.length === 0) throw noPoint();
    const now = context.now();
    const session: SessionRow = {
      providerId: organization.providerId,
      id: newId(),
      companyId: organization.companyId,
      organizationId: organization.id,
      userId: context.actor.userId,
      sessionType,
      jobId,
      at: datetime,
      showDeleted,
      points,
      createdAt: now.toISOString(),
      endsAt: new Date(now.getTime() + SESSION_MS).toISOString(),
      stoppedAt: null,
    };
    await change(context, { kind: 'restore-session', id: session.id }, async (connection) => {
      await insert(connection, restoreSessions, session);
      const after = { organization: organization.name, sessionType, datetime, jobId, showDeleted };
      return { result: null, after };
    });
    return { data: await shown(context, session) };
  });
}

function noPoint(): Refusal {
  const message = 'There is no restore point at or before that time. Choose a later one.';
  return new Refusal(404, 'NO_RESTORE_POINT', message);
}

async function shown(context: SignedInContext, session: SessionRow): Promise<RestoreSession> {
  const [newest] = session.points;
  const proof = await findProof(context.database, session, context.now());
  return {
    id: session.id,
    companyId: session.companyId,
    organizationId: session.organizationId,
    jobId: session.jobId,
    sessionType: session.sessionType,
    datetime: session.at,
    backupTime: newest?.at ?? session.at,
    isPartial: session.points.some(({ isPartial }) => isPartial),
    showDeleted: session.showDeleted,
    state: isOpen(session, context.now()) ? 'Working' : 'Stopped',
    token: proof === null ? null : shownProof(proof),
    expiresAt: session.endsAt,
  };
}

const stop: Route = answer(stopRestoreSession, async (context, { params: { restoreSessionId: id } }) => {
  await change(context, { kind: 'restore-session', id }, async (connection) => {
    const session = await requireSession(connection, context.actor, id);
    if (!isOpen(session, context.now())) return { result: null, isUnchanged: true };
    await stopSession(connection, session, context.now());
    await endSignIn(connection, session);
    return { result: null };
  });
  return {};
});
