import type { Stored } from '@keepwatch/engine/engine';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { RestoreServices } from '../restore-services.ts';
import { findReach, type Reach } from '../roles/reach.ts';
import type { SessionPoint } from './session-point.ts';
import { requireOpenSession, type SessionRow, sessionEnded } from './sessions.ts';

/** A session with the repositories of its restore points, open as far as its user may see them. */
export interface OpenedSession {
  session: SessionRow;
  organization: RestoreOrganization;
  reach: Reach;
  points: readonly (SessionPoint & { stored: Stored })[];
}

/** Opens the session of the caller. @throws 404 for another's, 409 for one that has ended, and what repositories refuse */
export async function openSession(
  services: RestoreServices,
  context: SignedInContext,
  sessionId: string,
): Promise<OpenedSession> {
  const session = await requireOpenSession(context.database, context.actor, sessionId, context.now());
  const reach = await refusing(() => findReach(services, context, session.organizationId));
  if (reach === null) throw notFound('restore session');
  const points = (await Promise.all(session.points.map((point) => opened(reach, point)))).filter(
    (point) => point !== null,
  );
  if (points.length === 0) throw sessionEnded();
  return { session, organization: reach.organization, reach, points };
}

/** A restore point with its repository; `null` where that was removed since: what is in the others stays within reach. */
async function opened(reach: Reach, point: SessionPoint): Promise<OpenedSession['points'][number] | null> {
  try {
    return { ...point, stored: await refusing(() => reach.openStored(point.repositoryId)) };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
