import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../foundation/scope.ts';

/**
 * Selects the present name of what an id identifies, within scope. Exported by the capability that has it.
 * @param text the id as it was recorded, for what has numbers
 */
export type NameOfTarget = (scope: Scope, id: SQL, text: SQL) => SQL;

/** By the kinds of `change`. Entries are about things of any capability, so the program puts these together. */
export type TargetNames = Readonly<Record<string, NameOfTarget>>;

/** The name of what an entry (by its alias) is about, `null` where it has none or is not there any more. */
export function targetName(names: TargetNames, scope: Scope, alias: string): SQL {
  const table = sql.identifier(alias);
  const whens = Object.entries(names).map(
    ([kind, nameOf]) => sql`when ${kind} then (${nameOf(scope, sql`target.id`, sql`${table}.target_id`)})`,
  );
  return sql`(select case ${table}.target_kind ${sql.join(whens, sql` `)} end
    from (select case when ${table}.target_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${table}.target_id::uuid end as id) target)`;
}
