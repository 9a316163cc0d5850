import type { DataSourceGroup, Result } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import type { DayClocks } from '../backup-days/day-clocks.ts';
import { type Connection, execute } from '../foundation/database.ts';
import { storedSumOf } from './bounded-sums.ts';
import { numberArray, plainArray, uuidArray } from './rows/column-arrays.ts';
import { companyDays, jobDays, providerDays } from './tables.ts';
import { WHOLE_DURATION } from './whole-duration.ts';

/** The sums of days, for reports: of a job, of a company, of a provider. */
export const JOB_DAYS = jobDays;
export const COMPANY_DAYS = companyDays;
export const PROVIDER_DAYS = providerDays;

/** What one execution adds to the sums of its day. */
export interface DayShare {
  startedAtMs: number;
  jobInstanceUid: string;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
  result: Result;
  isAnomalous: boolean;
  transferredBytes: number | null;
  durationMs: number | null;
}

type Count = 'success' | 'warning' | 'failed' | 'running' | 'didnt_run';
const COUNT_OF: Readonly<Record<Result, Count>> = {
  Success: 'success',
  Warning: 'warning',
  Failed: 'failed',
  Running: 'running',
  DidntRun: 'didnt_run',
};

/** Company id of rows without a company, in a key that cannot be null. */
export const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

/** Changes of one row of sums. */
interface Delta {
  day: number;
  jobInstanceUid: string;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
  success: number;
  warning: number;
  failed: number;
  running: number;
  didnt_run: number;
  anomalies: number;
  /** Runs that did their work but did not report their bytes. */
  unmeasured: number;
  transferred: number;
  durationMax: number;
}

/** Collects what executions add to and subtract from the sums of days, and writes it at once. */
export class DayRollups {
  readonly #clocks: DayClocks;
  readonly #jobs = new Deltas();
  readonly #companies = new Map<DataSourceGroup, Deltas>();
  readonly #provider = new Deltas();
  /** Days of jobs that lost an execution, which may have been the longest of its day. */
  readonly #shortened = new Set<Delta>();

  /** With clocks that were read under the executions lock. */
  constructor(clocks: DayClocks) {
    this.#clocks = clocks;
  }

  add(share: DayShare): void {
    const job = this.#change(share, 1);
    job.durationMax = Math.max(job.durationMax, share.durationMs ?? 0);
  }

  subtract(share: DayShare): void {
    const job = this.#change(share, -1);
    if (share.durationMs !== null) this.#shortened.add(job);
  }

  #change(share: DayShare, by: 1 | -1): Delta {
    const day = this.#clocks.dayOf(share.startedAtMs);
    const companies = this.#companies.get(share.sourceGroup) ?? new Deltas();
    this.#companies.set(share.sourceGroup, companies);
    const job = this.#jobs.of(day, share.jobInstanceUid, share);
    const company = companies.of(day, share.companyId ?? NO_COMPANY, share);
    const provider = this.#provider.of(day, share.sourceGroup, share);
    for (const delta of [job, company, provider]) {
      delta[COUNT_OF[share.result]] += by;
      delta.anomalies += share.isAnomalous ? by : 0;
      delta.unmeasured += isUnmeasured(share) ? by : 0;
      delta.transferred += by * (share.transferredBytes ?? 0);
    }
    return job;
  }

  /** Adds the collected changes to the sums. The caller has to hold the executions lock. */
  async write(connection: Connection, providerId: number): Promise<void> {
    for (const query of [...this.jobQueries(providerId), ...this.sumQueries(providerId)])
      await execute(connection, query);
  }

  /** Returns the statement that adds to the sums of single jobs what was collected since the last call. */
  jobQueries(providerId: number): SQL[] {
    const jobs = this.#jobs.all().filter((delta) => isChange(delta) || this.#shortened.has(delta));
    this.#jobs.clear();
    return jobs.length > 0 ? [jobDaysQuery(providerId, jobs)] : [];
  }

  /** Returns the statements that add to the sums of companies and of the provider. */
  sumQueries(providerId: number): SQL[] {
    const companies = [...this.#companies.values()].flatMap((deltas) => deltas.all()).filter(isChange);
    const provider = this.#provider.all().filter(isChange);
    return [
      ...(companies.length > 0 ? [companyDaysQuery(providerId, companies)] : []),
      ...(provider.length > 0 ? [providerDaysQuery(providerId, provider)] : []),
    ];
  }

  /** Measures longest durations again, once the executions are written: a maximum cannot be subtracted. */
  async measureDurations(connection: Connection, providerId: number): Promise<void> {
    if (this.#shortened.size > 0) await measureDurations(connection, providerId, this.#clocks, [...this.#shortened]);
  }
}

/** Changes of sums, by day and key. A key made of both would be a new text for every run. */
class Deltas {
  readonly #ofDay = new Map<number, Map<string, Delta>>();

  of(day: number, key: string, share: DayShare): Delta {
    const ofDay = this.#ofDay.get(day) ?? new Map<string, Delta>();
    const delta = ofDay.get(key) ?? noChange(day, share);
    this.#ofDay.set(day, ofDay.set(key, delta));
    return delta;
  }

  all(): Delta[] {
    return [...this.#ofDay.values()].flatMap((ofDay) => [...ofDay.values()]);
  }

  clear(): void {
    this.#ofDay.clear();
  }
}

function noChange(day: number, { jobInstanceUid, companyId, sourceGroup }: DayShare): Delta {
  return {
    day,
    jobInstanceUid,
    companyId,
    sourceGroup,
    success: 0,
    warning: 0,
    failed: 0,
    running: 0,
    didnt_run: 0,
    anomalies: 0,
    unmeasured: 0,
    transferred: 0,
    durationMax: 0,
  };
}

/**
 * Whether a run did its work without reporting its bytes. A failed run may have stored none; a running one cannot know
 * yet.
 */
function isUnmeasured({ result, transferredBytes }: DayShare): boolean {
  return transferredBytes === null && (result === 'Success' || result === 'Warning');
}

function isChange(delta: Delta): boolean {
  const { success, warning, failed, running, didnt_run, anomalies, unmeasured, transferred, durationMax } = delta;
  const isCounted = success !== 0 || warning !== 0 || failed !== 0 || running !== 0 || didnt_run !== 0;
  return isCounted || anomalies !== 0 || unmeasured !== 0 || transferred !== 0 || durationMax !== 0;
}

function columnsOf(deltas: readonly Delta[]) {
  const numbers = (of: (delta: Delta) => number, type: 'int' | 'bigint' | 'date') => numberArray(deltas.map(of), type);
  const count = (name: Count | 'anomalies' | 'unmeasured') => numbers((delta) => delta[name], 'int');
  return {
    day: numbers((delta) => delta.day, 'date'),
    job: uuidArray(deltas.map((delta) => delta.jobInstanceUid)),
    company: uuidArray(deltas.map((delta) => delta.companyId)),
    group: plainArray(
      deltas.map((delta) => delta.sourceGroup),
      'data_source_group',
    ),
    counts: sql`${count('success')}, ${count('warning')}, ${count('failed')}, ${count('running')}, ${count('didnt_run')}, ${count('anomalies')},
      ${count('unmeasured')}, ${numbers((delta) => delta.transferred, 'bigint')}`,
    durationMax: numbers((delta) => delta.durationMax, 'bigint'),
  };
}

/** The sums of a row, as each of the tables has them. */
export const SUM_NAMES = [
  'success',
  'warning',
  'failed',
  'running',
  'didnt_run',
  'anomalies',
  'unmeasured',
  'transferred_bytes',
] as const;
export const SUMS = sql.raw(SUM_NAMES.join(', '));

/** Adds the new sums to those of a table that is named `d` in the statement. */
const ADDED = sql`success = d.success + excluded.success, warning = d.warning + excluded.warning, failed = d.failed + excluded.failed,
  running = d.running + excluded.running, didnt_run = d.didnt_run + excluded.didnt_run, anomalies = d.anomalies + excluded.anomalies,
  unmeasured = d.unmeasured + excluded.unmeasured,
  transferred_bytes = ${storedSumOf(sql`d.transferred_bytes`, sql`excluded.transferred_bytes`)}`;

function jobDaysQuery(providerId: number, deltas: readonly Delta[]): SQL {
  const { day, job, company, group, counts, durationMax } = columnsOf(deltas);
  return sql`insert into job_days as d (provider_id, day, job_instance_uid, company_id, source_group, ${SUMS}, duration_ms_max)
        select ${providerId}, * from unnest(${day}, ${job}, ${company}, ${group}, ${counts}, ${durationMax})
        on conflict (provider_id, day, job_instance_uid) do update set ${ADDED}, duration_ms_max = greatest(d.duration_ms_max, excluded.duration_ms_max)`;
}

function companyDaysQuery(providerId: number, deltas: readonly Delta[]): SQL {
  const { day, company, group, counts } = columnsOf(deltas);
  return sql`insert into company_days as d (provider_id, day, company_id, source_group, ${SUMS})
        select ${providerId}, k.day, coalesce(k.company, ${NO_COMPANY}), k.grp, k.s1, k.s2, k.s3, k.s4, k.s5, k.s6, k.s7, k.s8
        from unnest(${day}, ${company}, ${group}, ${counts}) as k (day, company, grp, s1, s2, s3, s4, s5, s6, s7, s8)
        order by k.day, k.company, k.grp
        on conflict (provider_id, day, company_id, source_group) do update set ${ADDED}`;
}

function providerDaysQuery(providerId: number, deltas: readonly Delta[]): SQL {
  const { day, group, counts } = columnsOf(deltas);
  return sql`insert into provider_days as d (provider_id, day, source_group, ${SUMS})
        select ${providerId}, k.* from unnest(${day}, ${group}, ${counts}) as k (day, grp, s1, s2, s3, s4, s5, s6, s7, s8) order by k.day, k.grp
        on conflict (provider_id, day, source_group) do update set ${ADDED}`;
}

async function measureDurations(
  connection: Connection,
  providerId: number,
  clocks: DayClocks,
  deltas: readonly Delta[],
): Promise<void> {
  const parts = deltas.flatMap(({ day, jobInstanceUid }) =>
    clocks.partsOf({ first: day, last: day }).map((part) => ({ ...part, jobInstanceUid })),
  );
  const days = numberArray(
    parts.map(({ day }) => day),
    'date',
  );
  const jobs = uuidArray(parts.map(({ jobInstanceUid }) => jobInstanceUid));
  const froms = numberArray(
    parts.map(({ fromMs }) => fromMs),
    'timestamptz',
  );
  const tos = numberArray(
    parts.map(({ toMs }) => toMs),
    'timestamptz',
  );
  await execute(
    connection,
    sql`update job_days d set duration_ms_max = m.longest
        from (select k.day, k.job, coalesce(max(l.longest), 0) as longest
          from unnest(${days}, ${jobs}, ${froms}, ${tos}) as k (day, job, from_at, to_at)
          cross join lateral (select max(${WHOLE_DURATION}) as longest from job_executions e where e.provider_id = ${providerId}
            and e.job_instance_uid = k.job and e.started_at >= k.from_at and e.started_at < k.to_at offset 0) l
          group by 1, 2) m
        where d.provider_id = ${providerId} and d.day = m.day and d.job_instance_uid = m.job`,
  );
}
