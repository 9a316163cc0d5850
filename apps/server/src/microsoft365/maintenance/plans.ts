import type { MaintenanceKind, MaintenancePlan } from '@keepwatch/contract/microsoft365/maintenance';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { insert } from '../../foundation/table-writes.ts';
import { nextRun } from '../jobs/schedule.ts';
import type { RepositoryKey } from '../repositories/repository-secrets.ts';
import { m365MaintenancePlans } from '../tables.ts';

export type EnteredPlan = Omit<MaintenancePlan, 'kind' | 'nextRun'>;

const WEEKLY = { isEnabled: true, dailyTime: '05:00', timeZone: 'UTC', depth: 'quick' } as const;
/** Of a repository for which nothing else was chosen: on two days, as a prune and a verify wait for each other. */
const DEFAULTS: Readonly<Record<MaintenanceKind, EnteredPlan>> = {
  verify: { ...WEEKLY, dailyType: 'Sunday' },
  prune: { ...WEEKLY, dailyType: 'Saturday' },
};

/** When a plan is due after an instant; `null`: never. */
export function nextMaintenance({ isEnabled, dailyType, dailyTime, timeZone }: EnteredPlan, after: Date): Date | null {
  if (!isEnabled) return null;
  const unused = { dayOfMonth: 1, everyMinutes: 60, afterJobId: null, retries: 0, retryMinutes: 1, window: null };
  return nextRun({ type: 'Daily', dailyType, time: dailyTime, timeZone, ...unused }, after);
}

/** Plans the maintenance of a new repository. */
export async function insertDefaultPlans(connection: Connection, key: RepositoryKey, at: Date): Promise<void> {
  for (const kind of ['verify', 'prune'] as const) await storePlan(connection, key, kind, DEFAULTS[kind], at);
}

/** Stores when a repository is verified or pruned. */
export async function storePlan(
  connection: Connection,
  { providerId, id: repositoryId }: RepositoryKey,
  kind: MaintenanceKind,
  plan: EnteredPlan,
  at: Date,
): Promise<void> {
  const { isEnabled, dailyType, dailyTime, timeZone, depth } = plan;
  const planned = { isEnabled, dailyType, dailyTime, timeZone, depth, nextRunAt: nextMaintenance(plan, at) };
  await insert(
    connection,
    m365MaintenancePlans,
    { providerId, repositoryId, kind, ...planned },
    sql`on conflict (provider_id, repository_id, kind) do update set is_enabled = excluded.is_enabled, daily_type = excluded.daily_type,
          daily_time = excluded.daily_time, time_zone = excluded.time_zone, depth = excluded.depth, next_run_at = excluded.next_run_at`,
  );
}

/** When a plan (alias `p`) is due. A prune of a repository (`r`) that retains everything for ever is not. */
export const NEXT_MAINTENANCE: SQL = sql`case when p.kind = 'verify' or r.retention_years is not null then p.next_run_at end`;

/** Reads the plans of a repository: of each kind one, and where none is stored one that is off. */
export async function readPlans(connection: Connection, key: RepositoryKey): Promise<MaintenancePlan[]> {
  const found = await rows<MaintenancePlan>(
    connection,
    sql`select p.kind, p.is_enabled as "isEnabled", p.daily_type as "dailyType", p.daily_time as "dailyTime", p.time_zone as "timeZone",
          p.depth, ${NEXT_MAINTENANCE} as "nextRun"
        from m365_maintenance_plans p join m365_repositories r on r.provider_id = p.provider_id and r.id = p.repository_id
        where p.provider_id = ${key.providerId} and p.repository_id = ${key.id}`,
  );
  return (['verify', 'prune'] as const).map(
    (kind) => found.find((plan) => plan.kind === kind) ?? { kind, ...DEFAULTS[kind], isEnabled: false, nextRun: null },
  );
}
