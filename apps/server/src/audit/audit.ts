import type { AuditAction } from '@keepwatch/contract/audit/actions';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import { newId } from '../foundation/secrets.ts';

/** One thing that was done or attempted. Never contains a secret. */
export interface AuditEntry {
  action: AuditAction;
  target?: { kind: string; id: string };
  before?: unknown;
  after?: unknown;
  /** For what happens before the sign-in. */
  who?: { providerId: number; userId: string | null; username: string };
}

/** Records an entry, in the transaction of what it describes. What a user changes by a call goes through `change`. */
export async function record(connection: Connection, context: PublicContext, entry: AuditEntry): Promise<void> {
  const who = entry.who ?? { ...context.actor, providerId: context.actor?.scope.providerId };
  await execute(
    connection,
    sql`insert into audit_entries (provider_id, id, at, user_id, username, action, target_kind, target_id, before, after, address, request_id)
        values (${who.providerId ?? 0}, ${newId()}, ${context.now()}, ${who.userId ?? null}, ${who.username ?? null}, ${entry.action},
          ${entry.target?.kind ?? null}, ${entry.target?.id ?? null}, ${jsonOf(entry.before)}, ${jsonOf(entry.after)}, ${context.address}, ${context.requestId})`,
  );
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
