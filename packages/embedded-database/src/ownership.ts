import type { Client } from 'pg';

/**
 * Statements that give away what the current role owns in this database. PostgreSQL's own REASSIGN OWNED refuses the role
 * that initdb has made. Not named: what follows its table (indexes, sequences of columns, row types) and what belongs to
 * an extension or to the system.
 */
const STATEMENTS = `
  with given as (
    select 1 as step, 'pg_namespace'::regclass as class, oid, nspowner as owner, oid as namespace,
      format('schema %I', nspname) as name
    from pg_namespace
    union all
    select 2, 'pg_class'::regclass, oid, relowner, relnamespace, format('table %s', oid::regclass)
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 2, 'pg_proc'::regclass, oid, proowner, pronamespace, format('routine %s', oid::regprocedure)
    from pg_proc
    union all
    select 2, 'pg_type'::regclass, t.oid, typowner, typnamespace, format('type %s', t.oid::regtype)
    from pg_type t left join pg_class c on c.oid = t.typrelid
    where typtype in ('e', 'd', 'r') or (typtype = 'c' and c.relkind = 'c')
  )
  select format('alter %s owner to %I', g.name, $1::text) as statement
  from given g join pg_namespace n on n.oid = g.namespace
  where g.owner = current_user::regrole and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and not exists (select from pg_depend d where d.classid = g.class and d.objid = g.oid
      and (d.deptype = 'e' or (d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0)))
  order by g.step, g.oid`;

/** Gives all that the current role owns in this database to `owner`, or nothing when one statement fails. */
export async function giveToOwner(client: Client, owner: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [owner]);
  if (rows.length === 0) return;
  await client.query(`begin; ${rows.map(({ statement }) => statement).join('; ')}; commit`);
}
