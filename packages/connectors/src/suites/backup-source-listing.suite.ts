import { describe, expect, it } from 'vitest';
import type { BackupSource, Read } from '../ports/backup-source.ts';
import { DATA_SOURCE_GROUPS } from '../ports/backup-source.ts';
import { quiet, testContext } from '../testing/context.ts';
import type { Subject } from './backup-source-subject.ts';
import { allJobs, companyIds, drain } from './backup-source-subject.ts';

/** What the lists promise. */
export function listingPromises(subject: Subject): void {
  describe('what is listed', () => {
    const lists: [string, (source: BackupSource) => AsyncIterable<Read<{ externalId: string }>>][] = [
      ['companies', (source) => source.listCompanies(quiet())],
      ['repositories', (source) => source.listRepositories(quiet())],
      ['computers', (source) => source.listComputers(quiet())],
      ...DATA_SOURCE_GROUPS.map((group): (typeof lists)[number] => [
        `${group} jobs`,
        (source) => source.listJobs(group, quiet()),
      ]),
    ];

    it.each(lists)('%s: each once, none unreadable, and the same ids a second time', async (_, list) => {
      const source = subject.open();
      const first = await drain(list(source));
      expect(first.failed).toEqual([]);
      expect(first.values.length).toBeGreaterThan(0);
      const ids = first.values.map((value) => value.externalId);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await drain(list(source))).values.map((value) => value.externalId).sort()).toEqual(ids.sort());
    });

    it('licence usage: of companies that are listed, a workload of a server once', async () => {
      const source = subject.open();
      const { values, failed } = await drain(source.listLicenceUsage(quiet()));
      expect(failed).toEqual([]);
      const companies = new Set(await companyIds(source));
      expect(values.every((usage) => companies.has(usage.companyExternalId))).toBe(true);
      const keys = values.map((usage) => `${usage.companyExternalId} ${usage.serverExternalId} ${usage.workload}`);
      expect(new Set(keys).size).toBe(keys.length);
    });

    it('jobs: no job in two groups', async () => {
      const ids = (await allJobs(subject.open())).map((job) => job.externalId);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });
}

/** What the list of runs promises. */
export function executionPromises(subject: Subject): void {
  describe('executions', () => {
    it('each run once, in the range, ended after it began, and the same ids a second time', async () => {
      const source = subject.open();
      const jobs = await allJobs(source);
      const to = testContext().now();
      const range = { from: new Date(to.getTime() - 3 * 24 * 3_600_000), to };
      const { values, failed } = await drain(source.listExecutions(range, jobs, quiet()));
      expect(failed).toEqual([]);
      expect(values.length).toBeGreaterThan(jobs.length);
      const ids = values.map((execution) => execution.externalId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { startedAt, endedAt } of values) {
        expect([startedAt, endedAt].some((at) => at && at >= range.from && at < range.to)).toBe(true);
        expect(endedAt === null || endedAt >= startedAt).toBe(true);
      }
      const again = await drain(source.listExecutions(range, jobs, quiet()));
      expect(again.values.map((execution) => execution.externalId).sort()).toEqual(ids.sort());
    });

    it('a job only where the match is not "none", and never two runs of a job within a minute', async () => {
      const source = subject.open();
      const jobs = await allJobs(source);
      const to = testContext().now();
      const range = { from: new Date(to.getTime() - 2 * 24 * 3_600_000), to };
      const { values } = await drain(source.listExecutions(range, jobs, quiet()));
      const known = new Set(jobs.map((job) => job.externalId));
      for (const { match, jobExternalId } of values) {
        expect(match === 'none').toBe(jobExternalId === null);
        if (jobExternalId) expect(known.has(jobExternalId)).toBe(true);
      }
      const runsOfJob = Map.groupBy(values, (execution) => execution.jobExternalId);
      runsOfJob.delete(null);
      for (const runs of runsOfJob.values()) {
        const starts = runs.map((run) => run.startedAt.getTime()).sort((a, b) => a - b);
        const gapsMs = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
        expect(gapsMs.filter((gapMs) => gapMs <= 60_000)).toEqual([]);
      }
    });
  });
}
