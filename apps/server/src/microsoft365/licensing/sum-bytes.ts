import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';

/**
 * Sums what is stored of users. What several repositories have of one counts once: as the one has it that was backed up last, which is what it is at
 * Microsoft.
 */
export async function sumBytes(connection: Connection, providerId: number, users: readonly string[]): Promise<void> {
  if (users.length === 0) return;
  const chosen = sql`${sql.param(users)}::uuid[]`;
  // In one order, as others may sum the same users now.
  await execute(
    connection,
    sql`select from m365_protected_users u where u.provider_id = ${providerId} and u.id = any(${chosen}) order by u.object_id for update`,
  );
  await execute(
    connection,
    sql`with parts as (
          select distinct on (b.user_id, b.part) b.user_id, b.part, sum(b.bytes)::bigint as bytes
          from m365_user_backups b where b.provider_id = ${providerId} and b.user_id = any(${chosen})
          group by b.user_id, b.part, b.repository_id
          order by b.user_id, b.part, max(b.backed_up_at) desc, sum(b.bytes) desc
        ), sums as (
          select t.user_id, max(p.bytes) filter (where p.part = 'mailbox') as mailbox, max(p.bytes) filter (where p.part = 'archive') as archive,
            max(p.bytes) filter (where p.part = 'drive') as drive, max(p.bytes) filter (where p.part = 'chats') as chats,
            coalesce(sum(p.bytes), 0)::bigint as bytes
          from unnest(${chosen}) as t (user_id) left join parts p on p.user_id = t.user_id group by t.user_id)
        update m365_protected_users u set mailbox_bytes = s.mailbox, archive_bytes = s.archive, drive_bytes = s.drive, chats_bytes = s.chats,
          bytes = s.bytes
        from sums s where u.provider_id = ${providerId} and u.id = s.user_id
          and (u.bytes, u.mailbox_bytes, u.archive_bytes, u.drive_bytes, u.chats_bytes)
            is distinct from (s.bytes, s.mailbox, s.archive, s.drive, s.chats)`,
  );
}
