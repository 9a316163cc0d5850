import { record } from '../../audit/audit.ts';
import type { Audited, SignedInContext } from '../../foundation/http/context.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';

/** Records that content of a backup was looked at or given out, under the action of the call. */
export function recordLook(
  context: SignedInContext & Audited,
  { session, organization }: Pick<OpenedSession, 'session' | 'organization'>,
  what: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { kind: 'restore-session', id: session.id };
  return record(context.database, context, {
    action: context.audit,
    target,
    after: { organization: organization.name, ...what },
  });
}
