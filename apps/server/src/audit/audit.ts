import type { AuditAction } from '@keepwatch/contract/audit/actions';
import type { Connection } from '../foundation/database.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import { newId } from '../foundation/secrets.ts';
import { insert } from '../foundation/table-writes.ts';
import { auditEntries } from './tables.ts';

/** One thing that was done or attempted. Never contains a secret. */
export interface AuditEntry {
  action: AuditAction;
  target?: { kind: string; id: string };
  before?: unknown;
  after?: unknown;
  /** For what happens before the sign-in. */
  who?: { providerId: number; userId: string | null; username: string; companyIds?: readonly string[] | null };
}

/** Records an entry, in the transaction of what it describes. What a user changes by a call goes through `change`. */
export async function record(connection: Connection, context: PublicContext, entry: AuditEntry): Promise<void> {
  const who = entry.who ?? { ...context.actor, ...context.actor?.scope };
  await insert(connection, auditEntries, {
    providerId: who.providerId ?? 0,
    id: newId(),
    at: context.now(),
    userId: who.userId,
    username: who.username,
    action: entry.action,
    targetKind: entry.target?.kind,
    targetId: entry.target?.id,
    before: entry.before,
    after: entry.after,
    address: context.address,
    requestId: context.requestId,
    companyIds: who.companyIds,
  });
}
