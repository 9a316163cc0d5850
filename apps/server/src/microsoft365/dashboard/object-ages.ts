import {
  type AgedObject,
  type listAgedObjects,
  OBJECT_AGES,
  type ObjectAge,
} from '@keepwatch/contract/microsoft365/protection';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { organizationsWithin } from '../licensing/license-days.ts';

/** Days up to which a newest complete backup (alias `p`) is of an age, each beyond the one before. */
const DAYS = { day: 1, 'three-days': 3, week: 7, month: 31 } as const;

/** What a job has in the repository that it writes into: what it left in an earlier one becomes no older. */
const TABLES = sql`m365_object_points p join m365_jobs j on j.provider_id = p.provider_id and j.id = p.job_id and j.repository_id = p.repository_id
  join m365_organizations o on o.provider_id = p.provider_id and o.id = p.organization_id ${companyOf('o')}`;

/** Counts what jobs back up by the age of its newest complete backup; every age is there. */
export async function readAges(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
  now: Date,
): Promise<{ age: ObjectAge; objects: number }[]> {
  const counts = OBJECT_AGES.map((age) => sql`count(*) filter (where ${isOfAge(age, now)}) as ${sql.identifier(age)}`);
  const found = await row<Record<ObjectAge, number>>(
    connection,
    sql`select ${sql.join(counts, sql`, `)} from ${TABLES} where p.provider_id = ${scope.providerId} and ${organizationsWithin(scope, companyId)}`,
  );
  return OBJECT_AGES.map((age) => ({ age, objects: found?.[age] ?? 0 }));
}

/** Lists it, what was never complete first, then the oldest. */
export function listObjects(
  connection: Connection,
  scope: Scope,
  { companyId, age, limit, offset }: CallInput<typeof listAgedObjects>['query'],
  now: Date,
): Promise<Page<AgedObject>> {
  const ofAge = age === undefined ? sql`true` : isOfAge(age, now);
  const where = sql`p.provider_id = ${scope.providerId} and ${organizationsWithin(scope, companyId)} and ${ofAge}`;
  return readPage<AgedObject>(
    connection,
    sql`select p.kind, p.name, o.name as "organizationName", c.name as "companyName", j.id as "jobId", j.name as "jobName", p.complete_at as "completeTime"
        from ${TABLES}
        where ${where} order by p.complete_at nulls first, lower(p.name), p.object_key limit ${limit} offset ${offset}`,
    sql`select count(*) as count from ${TABLES} where ${where}`,
  );
}

function isOfAge(age: ObjectAge, now: Date): SQL {
  if (age === 'never') return sql`p.complete_at is null`;
  const before = (days: number) => sql`${now}::timestamptz - make_interval(days => ${days})`;
  if (age === 'older') return sql`p.complete_at <= ${before(DAYS.month)}`;
  const newer = Object.values(DAYS).findLast((days) => days < DAYS[age]);
  const isOldEnough = newer === undefined ? sql`true` : sql`p.complete_at <= ${before(newer)}`;
  return sql`p.complete_at > ${before(DAYS[age])} and ${isOldEnough}`;
}
