import type { AuditAction } from '@keepwatch/contract/audit/actions';
import { sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, row, transaction } from '../foundation/database.ts';
import type { Actor, PublicContext, SignedInContext } from '../foundation/http/context.ts';
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
  const who = entry.who ?? { ...context.actor, ...context.actor?.scope, ...doerOf(context.actor) };
  await insert(connection, auditEntries, {
    providerId: who.providerId ?? 0,
    id: newId(),
    at: context.now(),
    ...personsOf(who),
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

/** Who does what a caller does: an administrator who acts as another user does it, as that user. */
function doerOf(actor: Actor | null): Doer {
  if (actor === null) return {};
  const { userId, username, impersonator, key } = actor;
  if (impersonator === null) return { userId, username, apiKey: key?.name };
  return { ...impersonator, asUserId: userId, asUsername: username };
}

interface Doer {
  userId?: string | null;
  username?: string;
  asUserId?: string;
  asUsername?: string;
  apiKey?: string | undefined;
}

const personsOf = ({ userId, username, asUserId, asUsername, apiKey }: Doer) => ({
  userId,
  username,
  asUserId,
  asUsername,
  apiKey,
});

/** What is recorded of a target. */
type EntryOfTarget = AuditEntry & { target: { kind: string; id: string } };

/** Any number that no other lock uses; the second key is derived from the target. */
const LOCK = 7_305_124;

/** Records an entry unless the same user has the same one of this target already. */
export async function recordOnce(database: Pool, context: SignedInContext, entry: EntryOfTarget): Promise<void> {
  if (await isRecorded(database, context, entry)) return;
  await transaction(database, async (connection) => {
    // Two pages of a place may be asked for at the same moment.
    await execute(connection, sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${entry.target.id}))`);
    if (!(await isRecorded(connection, context, entry))) await record(connection, context, entry);
  });
}

async function isRecorded(
  connection: Connection,
  { actor }: SignedInContext,
  { action, target, after = null }: EntryOfTarget,
): Promise<boolean> {
  const { userId, asUserId = null } = doerOf(actor);
  const found = await row(
    connection,
    sql`select from audit_entries e where e.provider_id = ${actor.scope.providerId} and e.target_id = ${target.id} and e.target_kind = ${target.kind}
          and e.user_id = ${userId} and e.as_user_id is not distinct from ${asUserId}::uuid and e.action = ${action} and e.after is not distinct from ${JSON.stringify(after)}::jsonb limit 1`,
  );
  return found !== null;
}
