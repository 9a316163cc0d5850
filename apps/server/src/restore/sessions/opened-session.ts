import type { Stored } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { SessionPoint } from './session-point.ts';
import { requireOpenSession, type SessionRow } from './sessions.ts';

/** A session with the repositories of its restore points, open. */
export interface OpenedSession {
  session: SessionRow;
  organization: RestoreOrganization;
  points: readonly (SessionPoint & { stored: Stored })[];
}

/** Opens the session of the caller. @throws 404 for another's, 409 for one that has ended, and what repositories refuse */
export async function openSession(
  services: RestoreServices,
  context: SignedInContext,
  sessionId: string,
): Promise<OpenedSession> {
  const session = await requireOpenSession(context.database, context.actor, sessionId, context.now());
  const organization = await services.findOrganization(context.scope, session.organizationId);
  if (organization === null) throw notFound('restore session');
  const points = session.points.map(async (point) => ({
    ...point,
    stored: await services.openStored(session.providerId, point.repositoryId),
  }));
  return { session, organization, points: await Promise.all(points) };
}
