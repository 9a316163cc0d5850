import type { Manifest } from '@keepwatch/connectors/base/manifest';
import { Connectors } from '@keepwatch/connectors/base/registry';
import type {
  BackupSource,
  Read,
  SourceCompany,
  SourceComputer,
  SourceExecution,
  SourceJob,
  SourceLicenceUsage,
  SourceRepository,
} from '@keepwatch/connectors/ports/backup-source';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { sql } from 'drizzle-orm';
import { execute } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { openMetrics } from '../foundation/metrics.ts';
import { newId, secretBox } from '../foundation/secrets.ts';
import { buildConnection } from '../testing/builders.ts';
import { TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import type { IntakeServices } from './source-services.ts';

/** A console whose content and failures a test defines. */
export class WrittenSource implements BackupSource {
  companies: Read<SourceCompany>[] = [];
  jobs: Read<SourceJob>[] = [];
  executions: Read<SourceExecution>[] = [];
  repositories: Read<SourceRepository>[] = [];
  computers: Read<SourceComputer>[] = [];
  licenceUsage: Read<SourceLicenceUsage>[] = [];
  /** Errors that the listings of these names (or groups) throw after their last entity. */
  failures: Record<string, Error> = {};
  /** Listings (or groups) that were read, in order. */
  reported: string[] = [];
  /** Ranges that were requested, in order. */
  asked: { from: Date; to: Date }[] = [];
  /** Called before a range is listed, to throw or to stop the sync. */
  beforeRange: (range: { from: Date; to: Date }) => void | Promise<void> = () => {};

  async test() {
    this.#fail('test');
    return { version: '1' };
  }
  listCompanies() {
    return this.#report('companies', this.companies);
  }
  listJobs(group: string) {
    return this.#report(
      group,
      this.jobs
        .filter((read) => 'failed' in read || read.value.group === group)
        .filter((read) => 'value' in read || group === 'managed-servers'),
    );
  }
  async *listExecutions(range: { from: Date; to: Date }) {
    this.asked.push(range);
    await this.beforeRange(range);
    yield* this.#report(
      'executions',
      this.executions.filter(
        (read) => 'failed' in read || (read.value.startedAt >= range.from && read.value.startedAt < range.to),
      ),
    );
  }
  listRepositories() {
    return this.#report('repositories', this.repositories);
  }
  listComputers() {
    return this.#report('computers', this.computers);
  }
  listLicenceUsage() {
    return this.#report('licence usage', this.licenceUsage);
  }

  async *#report<T>(name: string, all: readonly T[]): AsyncGenerator<T> {
    this.reported.push(name);
    yield* all;
    this.#fail(name);
  }
  #fail(name: string): void {
    const failure = this.failures[name];
    if (failure !== undefined) throw failure;
  }
}

export function writtenJob(given: Partial<SourceJob> & { externalId: string }): Read<SourceJob> {
  return {
    value: {
      group: 'managed-servers',
      name: given.externalId,
      companyExternalId: 'acme',
      jobType: 'Backup',
      isEnabled: true,
      scheduleType: 'Daily',
      intervalMs: 86_400_000,
      nextRunAt: null,
      serverName: 'SRV-01',
      targetName: null,
      backupSizeBytes: null,
      restorePointCount: null,
      lastRun: null,
      ...given,
    },
  };
}

export function writtenExecution(
  jobExternalId: string | null,
  startedAt: Date,
  given: Partial<SourceExecution> = {},
): Read<SourceExecution> {
  return {
    value: {
      externalId: `${jobExternalId}/${startedAt.toISOString()}`,
      jobName: jobExternalId ?? 'Of no job',
      companyExternalId: 'acme',
      jobExternalId,
      match: jobExternalId === null ? 'none' : 'exact',
      origin: 'history',
      startedAt,
      endedAt: new Date(startedAt.getTime() + 600_000),
      result: 'Success',
      durationMs: 600_000,
      transferredBytes: null,
      processedBytes: null,
      processedFiles: null,
      message: null,
      log: [],
      ...given,
    },
  };
}

export const ACME_COMPANY: SourceCompany = {
  externalId: 'acme',
  name: 'Acme',
  isActive: true,
  email: null,
  phone: null,
};
export const ACME: Read<SourceCompany> = { value: ACME_COMPANY };

/** Returns a manifest that opens the given source. */
export function manifestOf(backup: BackupSource): Manifest<BackupSource> {
  const url = { name: 'url', label: 'Address', hint: '', kind: 'url', isRequired: true } as const;
  const apiKey = { name: 'apiKey', label: 'API key', hint: '', kind: 'secret', isRequired: true } as const;
  return { kind: 'vac', label: 'A console', settings: [url, apiKey], open: () => backup };
}

/** Returns the services of a worker for a test's portal. */
export function servicesOf(
  portal: TestPortal,
  loadSource: (kind: string) => Promise<Manifest<BackupSource>>,
): IntakeServices & { stored: TestPortal['stored']; sent: { name: string; key: string | undefined }[] } {
  const sent: { name: string; key: string | undefined }[] = [];
  const queue: IntakeServices['queue'] = {
    async send(_connection, job, payload) {
      sent.push({ name: job.name, key: job.key?.(payload) });
    },
    isAnswering: async () => true,
  };
  return {
    sent,
    database: portal.database,
    queue,
    log: openLog('silent', 'test'),
    metrics: openMetrics('test'),
    now: () => portal.clock.now,
    secrets: secretBox('secret of the tests'),
    stored: portal.stored,
    connectors: new Connectors<Ports>({
      'backup-source': {
        label: 'Backup source',
        kinds: { vac: { label: 'A console', load: async () => ({ manifest: await loadSource('vac') }) } },
      },
    }),
    allowPrivateAddresses: true,
  };
}

/** Inserts a source without secrets. */
export async function insertSource(
  portal: TestPortal,
  given: { providerId?: number; minutes?: number; isEnabled?: boolean } = {},
): Promise<string> {
  const id = newId();
  await execute(
    portal.database,
    sql`insert into sources (provider_id, id, kind, name, sync_interval_minutes, is_enabled)
        values (${given.providerId ?? 1}, ${id}, 'vac', 'A console', ${given.minutes ?? 5}, ${given.isEnabled ?? true})`,
  );
  await buildConnection(portal.database, { ...given, id });
  return id;
}

/** Connects a console that a test writes, with the company Acme; the clock of the portal is at `TEST_NOW`. */
export async function connectWrittenSource(portal: TestPortal) {
  portal.clock.now = TEST_NOW;
  const source = new WrittenSource();
  source.companies = [ACME];
  const services = servicesOf(portal, async () => manifestOf(source));
  return { source, services, sourceId: await insertSource(portal) };
}
