import type { SignedInContext } from '../../foundation/http/context.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { type OpenedSession, openSession } from '../sessions/opened-session.ts';

/** Looks into a session of the caller. What the engine refuses is refused with its own words. */
export function inSession<T>(
  services: RestoreServices,
  context: SignedInContext,
  sessionId: string,
  look: (opened: OpenedSession) => Promise<T>,
): Promise<T> {
  return context.outside(() => refusing(async () => look(await openSession(services, context, sessionId))));
}
