import type {
  listUnprotectedPeople,
  ProtectedPeople,
  UnprotectedGroup,
  UnprotectedPerson,
  UnprotectedReason,
} from '@keepwatch/contract/microsoft365/protection';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { every } from '../../foundation/conditions.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { invalid } from '../../foundation/errors.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { organizationsWithin } from '../licensing/license-days.ts';
import { HAS_POINT } from '../repositories/counted-points.ts';

const GROUPS_MAX = 20;

/** Users whom jobs name, and whether to leave them out. */
const NAMED = sql`select j.provider_id, j.id as job_id, lower(i.item->>'id') as object_id, bool_or(i.is_excluded) as is_excluded, bool_or(not i.is_excluded) as is_selected
  from candidates j cross join lateral (select e as item, false as is_excluded from jsonb_array_elements(j.selected) e
    union all select e, true from jsonb_array_elements(j.excluded) e) i
  where i.item->>'type' = 'User' group by 1, 2, 3`;

/** Of whom the reasons are worked out. */
interface Which {
  companyId?: string | undefined;
  organizationId?: string | undefined;
}

/** People of whom nothing is backed up (alias `p`), with their organization (`o`) and company (`c`). */
function unprotected(scope: Scope, { companyId, organizationId }: Which): SQL {
  return sql`m365_unprotected_people p
    join m365_organizations o on o.provider_id = p.provider_id and o.id = p.organization_id ${companyOf('o')}
    where p.provider_id = ${scope.providerId} and ${organizationsWithin(scope, companyId)}
      and ${organizationId === undefined ? sql`true` : sql`p.organization_id = ${organizationId}`}`;
}

/**
 * Some of them (alias `w`), each with the reason that comes first and its job. Members of chosen groups are not known here: who is backed up as such
 * is not in the list. Of one person at most a row a job of the organization is looked at, so that it is only asked of one organization, or of the
 * people of one page.
 */
function reasoned(scope: Scope, people: SQL): SQL {
  return sql`with people as materialized (select p.*, o.name as organization_name, c.name as company_name from ${people}),
    candidates as materialized (
      select j.provider_id, j.id, j.organization_id, j.name, j.is_enabled, j.selected, j.excluded, j.backup_type = 'SelectedItems' as is_list,
        j.backup_type = 'EntireOrganization' or j.selected @> '[{"type": "PartialOrganization"}]' as is_whole,
        ${HAS_POINT} as has_point
      from m365_jobs j where j.provider_id = ${scope.providerId} and j.organization_id in (select p.organization_id from people p)),
    named as materialized (${NAMED}),
    reasons as (
      select p.organization_id, p.object_id, j.id as job_id, j.name as job_name, j.is_enabled and j.is_list as may_add,
        case when j.id is null then 'no-job'
          when n.is_excluded and (j.is_whole or n.is_selected) then 'excluded'
          when not (j.is_whole or coalesce(n.is_selected, false)) then 'no-job'
          when not j.is_enabled then 'disabled' when j.has_point then 'missing' else 'not-yet' end as reason
      from people p left join candidates j on j.organization_id = p.organization_id left join named n on n.job_id = j.id and n.object_id = p.object_id),
    w as (
      select distinct on (p.organization_id, p.object_id) p.*, r.reason,
        case when r.reason <> 'no-job' or r.may_add then r.job_id end as job_id, case when r.reason <> 'no-job' or r.may_add then r.job_name end as job_name
      from people p join reasons r on r.organization_id = p.organization_id and r.object_id = p.object_id
      order by p.organization_id, p.object_id, array_position(array['missing', 'not-yet', 'disabled', 'excluded', 'no-job'], r.reason),
        r.may_add desc nulls last, lower(r.job_name), r.job_id)`;
}

const REASON_FIELDS = sql`w.organization_id as "organizationId", w.organization_name as "organizationName", w.reason, w.job_id as "jobId", w.job_name as "jobName"`;

/** Reads how many people are backed up, and why the others are not. */
export async function readPeople(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
): Promise<ProtectedPeople> {
  const [read, groups, unread, uncounted] = await Promise.all([
    row<Pick<ProtectedPeople, 'people' | 'unprotected' | 'readTime'>>(
      connection,
      sql`select coalesce(sum(d.people), 0)::int as people, min(d.read_at) as "readTime", coalesce(sum(w.people), 0)::int as unprotected
          from m365_directory_reads d ${ORGANIZATION_OF_READ}
          cross join lateral (select count(*) as people from m365_unprotected_people p
            where p.provider_id = d.provider_id and p.organization_id = d.organization_id) w
          where d.provider_id = ${scope.providerId} and ${organizationsWithin(scope, companyId)}`,
    ),
    largestGroups(connection, scope, companyId),
    listUnread(connection, scope, companyId),
    countUncounted(connection, scope, companyId),
  ]);
  return { people: 0, unprotected: 0, readTime: null, ...read, groups, unread, uncounted };
}

/** Organizations whose people are looked at for the largest groups: those with the most come first. */
const ORGANIZATIONS_MAX = 100;

/** An organization at a time, until those that follow have fewer people than the smallest group that is shown. */
async function largestGroups(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
): Promise<UnprotectedGroup[]> {
  const organizations = await rows<{ id: string; people: number }>(
    connection,
    sql`select o.id, count(*)::int as people from ${unprotected(scope, { companyId })}
        group by o.id, o.name order by people desc, lower(o.name), o.id limit ${ORGANIZATIONS_MAX}`,
  );
  let groups: UnprotectedGroup[] = [];
  for (const { id, people } of organizations) {
    if ((groups[GROUPS_MAX - 1]?.people ?? 0) >= people) break;
    const found = [...groups, ...(await groupsOf(connection, scope, id))];
    groups = found.toSorted((one, other) => other.people - one.people).slice(0, GROUPS_MAX);
  }
  return groups;
}

function groupsOf(connection: Connection, scope: Scope, organizationId: string): Promise<UnprotectedGroup[]> {
  return rows(
    connection,
    sql`${reasoned(scope, unprotected(scope, { organizationId }))} select ${REASON_FIELDS}, count(*)::int as people from w
        group by 1, 2, 3, 4, 5 order by people desc, w.reason, w.job_id limit ${GROUPS_MAX}`,
  );
}

const ORGANIZATION_OF_READ = sql`join m365_organizations o on o.provider_id = d.provider_id and o.id = d.organization_id ${companyOf('o')}`;

function listUnread(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
): Promise<ProtectedPeople['unread']> {
  return rows(
    connection,
    sql`select o.id as "organizationId", o.name as "organizationName", d.message from m365_organizations o ${companyOf('o')}
        left join m365_directory_reads d on d.provider_id = o.provider_id and d.organization_id = o.id
        where o.engine = 'built-in' and ${organizationsWithin(scope, companyId)} and (d.read_at is null or d.message is not null) order by lower(o.name), o.id limit ${GROUPS_MAX}`,
  );
}

/** Only what this portal connects itself has a directory that it may read. */
async function countUncounted(connection: Connection, scope: Scope, companyId: string | undefined): Promise<number> {
  const counted = await row<{ count: number }>(
    connection,
    sql`select count(*)::int as count from m365_organizations o ${companyOf('o')}
        where o.engine <> 'built-in' and ${organizationsWithin(scope, companyId)}`,
  );
  return counted?.count ?? 0;
}

type Query = CallInput<typeof listUnprotectedPeople>['query'];

const BY_NAME = (alias: 'p' | 'w') =>
  sql`order by lower(${sql.identifier(alias)}.name), ${sql.identifier(alias)}.object_id, ${sql.identifier(alias)}.organization_id`;

/** Lists the people themselves. @throws Refusal 422 for a reason without an organization */
export function listUnprotected(connection: Connection, scope: Scope, query: Query): Promise<Page<UnprotectedPerson>> {
  const { companyId, organizationId, reason, jobId, limit, offset } = query;
  const people = unprotected(scope, { companyId, organizationId });
  const page = sql`limit ${limit} offset ${offset}`;
  if (reason === undefined && jobId === undefined)
    return readPage<UnprotectedPerson>(
      connection,
      sql`${reasoned(scope, sql`${people} ${BY_NAME('p')} ${page}`)} select ${PERSON_FIELDS} from w ${BY_NAME('w')}`,
      sql`select count(*) as count from ${people}`,
    );
  if (organizationId === undefined)
    throw invalid([{ path: 'query.organizationId', message: 'must be given with a reason or a job' }]);
  const where = every([
    reason === undefined ? sql`true` : sql`w.reason = ${reason}`,
    jobId === undefined ? sql`true` : sql`w.job_id = ${jobId}`,
  ]);
  return readPage<UnprotectedPerson>(
    connection,
    sql`${reasoned(scope, people)} select ${PERSON_FIELDS} from w where ${where} ${BY_NAME('w')} ${page}`,
    sql`${reasoned(scope, people)} select count(*) as count from w where ${where}`,
  );
}

const PERSON_FIELDS = sql`w.object_id as "objectId", w.name, w.address, w.company_name as "companyName", ${REASON_FIELDS}`;

/** More than a job may name: with these it is refused. */
const ADDED_MAX = 10_001;

/** Reads whom a job would have more of an organization: their ids at Microsoft, and names. */
export function peopleToAdd(
  connection: Connection,
  scope: Scope,
  { organizationId, jobId, reason }: { organizationId: string; jobId: string; reason: UnprotectedReason },
): Promise<{ id: string; name: string }[]> {
  const ofJob = reason === 'excluded' ? sql`w.job_id = ${jobId}` : sql`true`;
  return rows(
    connection,
    sql`${reasoned(scope, unprotected(scope, { organizationId }))} select w.object_id as id, w.name from w
        where w.reason = ${reason} and ${ofJob} order by w.object_id limit ${ADDED_MAX}`,
  );
}
