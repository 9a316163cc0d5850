import { FINDS, HITS_MAX, type Hit, type HitKind } from '@keepwatch/contract/search/search';
import { type SQL, sql } from 'drizzle-orm';
import { companiesNamed, type Named, usersNamed } from '../directory/named.ts';
import { type Connection, type Pool, rows } from '../foundation/database.ts';
import { type Actor, may } from '../foundation/http/context.ts';
import { m365JobsNamed, organizationsNamed } from '../microsoft365/named.ts';
import { findJobs } from './job-names.ts';

/** Each kind but the jobs of the monitoring as rows of `Hit`. There are far fewer of these: they need no index. */
const SMALL_KINDS: Readonly<Record<Exclude<HitKind, 'job'>, (named: Named) => SQL>> = {
  company: (named) => hits('company', companiesNamed(named)),
  organization: (named) => hits('organization', organizationsNamed(named), { company: sql`f.company` }),
  'm365-job': (named) =>
    hits('m365-job', m365JobsNamed(named), { company: sql`f.company`, detail: sql`f.organization` }),
  user: (named) => hits('user', usersNamed(named), { detail: sql`f.username` }),
};

/** Finds a few of each kind that the caller may open, by name. */
export async function searchNames(pool: Pool, actor: Actor, named: Omit<Named, 'limit'>): Promise<Hit[]> {
  const finds = (kind: HitKind) => may(actor, FINDS[kind]);
  const [others, jobs] = await Promise.all([
    findOthers(pool, finds, { ...named, limit: HITS_MAX }),
    finds('job') ? findJobs(pool, { ...named, limit: HITS_MAX }) : [],
  ]);
  return [...others, ...jobs];
}

async function findOthers(connection: Connection, finds: (kind: HitKind) => boolean, named: Named): Promise<Hit[]> {
  const queries = KINDS.filter(finds).map((kind) => SMALL_KINDS[kind](named));
  return queries.length === 0 ? [] : rows<Hit>(connection, sql.join(queries, sql` union all `));
}

const KINDS = ['company', 'organization', 'm365-job', 'user'] as const satisfies (keyof typeof SMALL_KINDS)[];

function hits(kind: HitKind, found: SQL, { company = sql`null`, detail = sql`null` } = {}): SQL {
  return sql`(select ${kind}::text as kind, f.id as "_id", f.name, ${company}::text as "companyName", ${detail}::text as detail
    from (${found}) f)`;
}
