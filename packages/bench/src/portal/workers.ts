import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createRepository } from '@keepwatch/engine/repository/open-repository';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';
import type { RunningTenant, TenantAccess } from '@keepwatch/sandbox/microsoft365/server';
import { type Pool, row } from '@keepwatch/server/foundation/database';
import type { SecretBox } from '@keepwatch/server/foundation/secrets';
import { makeSession } from '@keepwatch/server/microsoft365/sessions/sessions';
import { sql } from 'drizzle-orm';
import { type RunningProcess, startRole } from '../monitoring/bench-portal.ts';
import { beginTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed } from '../timing.ts';
import { buildCompany, buildJob, buildOrganization, buildRepository } from './bench-organization.ts';
import { environmentOf, type PortalBench } from './environment.ts';
import { mailboxOwners, startMailTenants } from './mail-tenants.ts';

/** About what Microsoft Graph takes to answer; without any, this machine's two cores would be all that is measured. */
const LATENCY_MS = 200;
const FEW = 4;
const MAILBOXES = 20;
const MESSAGES = 25;
const MANY = 50;
const SHARE_MAX = 0.6;
const MEMORY_MB_MAX = 500;
const PASSWORD = 'the password of the benchmark';
const WIDTHS = [30, 10, 16, 24];

/** Backups of several organizations by one worker and by two, as the product starts them, and one worker with many organizations. */
export async function benchWorkers(bench: PortalBench, secrets: SecretBox, targets: Targets): Promise<void> {
  const size = { mailboxes: MAILBOXES, messages: MESSAGES, latencyMs: LATENCY_MS };
  const tenant = await startMailTenants(FEW + FEW + MANY, size);
  const build = organizationBuilder(bench, secrets);
  let used = 0;
  const backedUp = (workers: number, organizations: number) => {
    used += organizations;
    return backUpAll(bench, tenant, build, workers, tenant.all.slice(used - organizations, used));
  };
  try {
    const print = beginTable(
      `Workers: ${MAILBOXES} mailboxes of ${MESSAGES} messages in each organization, answers after ${LATENCY_MS} ms`,
      ['first backups', 'seconds', 'most memory, MB', 'target'],
      WIDTHS,
    );
    const one = await backedUp(1, FEW);
    print([`${FEW} organizations, one worker`, seconds(one.ms), megabytes(one.memory), '']);
    const two = await backedUp(2, FEW);
    const share = two.ms / one.ms;
    const ofTime = targets.evaluated('two workers, share of the time', share.toFixed(2), share <= SHARE_MAX);
    print([
      `${FEW} organizations, two workers`,
      seconds(two.ms),
      megabytes(two.memory),
      `${ofTime}, at most ${SHARE_MAX}`,
    ]);
    const many = await backedUp(1, MANY);
    const memory = targets.evaluated(
      'memory of a worker, MB',
      megabytes(many.memory),
      many.memory <= MEMORY_MB_MAX * 1e6,
    );
    print([
      `${MANY} organizations, one worker`,
      seconds(many.ms),
      megabytes(many.memory),
      `${memory}, at most ${MEMORY_MB_MAX}`,
    ]);
  } finally {
    await tenant.stop();
  }
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

type Build = (access: TenantAccess) => Promise<{ providerId: number; id: string }>;

/** Makes organizations with a job of some mailboxes, each with a repository of its own. */
function organizationBuilder({ pool, folder }: PortalBench, secrets: SecretBox): Build {
  const company = buildCompany(pool);
  return async (access) => {
    const organization = await buildOrganization(pool, secrets, await company, access);
    const path = join(folder, 'repositories', organization.id);
    const repository = await createRepository(await openFolderStore(path), PASSWORD);
    await repository.close();
    const given = { path, password: PASSWORD, engineId: repository.id };
    const repositoryId = await buildRepository(pool, secrets, organization, given);
    const users = mailboxOwners(access);
    return { providerId: organization.providerId, id: await buildJob(pool, organization, repositoryId, users) };
  };
}

async function backUpAll(
  { pool, databaseUrl, folder }: PortalBench,
  tenant: RunningTenant,
  build: Build,
  count: number,
  tenants: readonly TenantAccess[],
): Promise<{ ms: number; memory: number }> {
  const jobs = await Promise.all(tenants.map(build));
  const environment = environmentOf(tenant);
  const workers: RunningProcess[] = [];
  for (let number = 0; number < count; number += 1)
    workers.push(await startRole('worker', databaseUrl, folder, environment));
  try {
    const ms = await timed(async () => {
      const sessions = await Promise.all(jobs.map((job) => makeSession(pool, job, new Date())));
      await ended(pool, sessions.map(String));
    });
    return { ms, memory: Math.max(...(await Promise.all(workers.map((worker) => worker.memoryPeakBytes())))) };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** Waits until all runs have ended. @throws Error when one is no success: it would have cost less */
async function ended(pool: Pool, sessions: readonly string[]): Promise<void> {
  for (;;) {
    const found = await row<{ running: number; failed: string | null }>(
      pool,
      sql`select count(*) filter (where ended_at is null)::integer as running,
            min(coalesce(message, result)) filter (where ended_at is not null and result <> 'Success') as failed
          from m365_job_sessions where id = any (${`{${sessions.join(',')}}`}::uuid[])`,
    );
    if (found?.failed != null) throw new Error(`A backup is no success: ${found.failed}`);
    if (found?.running === 0) return;
    await wait(100);
  }
}
