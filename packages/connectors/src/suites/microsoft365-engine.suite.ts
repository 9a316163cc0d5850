import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Microsoft365Engine,
  Missing,
  type NewJob,
  type NewRepository,
  Refused,
  type RepositoryPlace,
} from '../ports/microsoft365-engine.ts';
import { describeObjects } from './microsoft365-engine-objects.suite.ts';

/** An engine to run the suite against, of an organization that has users, groups, teams and sites, and no repositories and jobs. */
export interface EngineHarness {
  engine: Microsoft365Engine;
  /** The same engine for another organization. */
  stranger: Microsoft365Engine;
  /** A place in which a repository can be made, a new one each time. */
  newPlace(): Promise<RepositoryPlace>;
  stop(): Promise<void>;
}

const JOB: Omit<NewJob, 'repositoryId'> = {
  name: 'Nightly',
  description: 'All of it',
  backupType: 'EntireOrganization',
  selected: [],
  excluded: [],
  withChats: false,
  proxyPoolId: null,
  isEnabled: true,
  schedule: {
    type: 'Daily',
    dailyType: 'Workdays',
    time: '22:00',
    dayOfMonth: 1,
    everyMinutes: 60,
    afterJobId: null,
    timeZone: 'Europe/Berlin',
    retries: 3,
    retryMinutes: 10,
    window: null,
  },
};

/** What every engine of Microsoft 365 promises. */
export function describeMicrosoft365Engine(name: string, start: () => Promise<EngineHarness>): void {
  describe(`${name} as an engine of Microsoft 365`, () => {
    let harness: EngineHarness;
    let engine: Microsoft365Engine;
    const { signal } = new AbortController();
    beforeAll(async () => {
      harness = await start();
      engine = harness.engine;
    });
    afterAll(() => harness.stop());

    const newRepository = async (): Promise<NewRepository> => ({
      name: 'Nightly',
      place: await harness.newPlace(),
      password: 'a long password',
      passwordDescription: 'in the safe',
      retentionYears: 7,
      immutableDays: 0,
    });
    const makeJob = async () => {
      const repositoryId = await engine.createRepository(await newRepository(), signal);
      return { repositoryId, id: await engine.createJob({ ...JOB, repositoryId }, signal) };
    };

    it('says its version', async () => {
      expect((await engine.test(signal)).version).toMatch(/^\d/);
    });

    it('makes, lists, changes and removes repositories', async () => {
      const id = await engine.createRepository(await newRepository(), signal);
      const find = async () => (await engine.listRepositories(signal)).find((one) => one.id === id);
      expect(await find()).toMatchObject({ name: 'Nightly', retentionYears: 7, passwordDescription: 'in the safe' });
      await engine.changeRepository(id, { name: 'Renamed', retentionYears: null }, signal);
      expect(await find()).toMatchObject({ name: 'Renamed', retentionYears: null, passwordDescription: 'in the safe' });
      await engine.removeRepository(id, signal);
      expect(await find()).toBeUndefined();
    });

    it('refuses a place that another repository has, and a repository that a job uses', async () => {
      const given = await newRepository();
      const repositoryId = await engine.createRepository(given, signal);
      await expect(engine.createRepository(given, signal)).rejects.toBeInstanceOf(Refused);
      await engine.createJob({ ...JOB, repositoryId }, signal);
      await expect(engine.removeRepository(repositoryId, signal)).rejects.toBeInstanceOf(Refused);
    });

    it('gives a job back as it was made and changed', async () => {
      const { id, repositoryId } = await makeJob();
      const made = { ...JOB, repositoryId };
      expect(await engine.job(id, signal)).toMatchObject({
        id,
        ...made,
        nextRunAt: expect.any(Date),
        lastSession: null,
      });
      const changed: NewJob = { ...made, name: 'Chosen', schedule: { ...JOB.schedule, type: 'Disabled' } };
      await engine.changeJob(id, changed, signal);
      expect(await engine.job(id, signal)).toMatchObject({ ...changed, nextRunAt: null });
      await engine.switchJob(id, false, signal);
      expect((await engine.listJobs(signal)).find((one) => one.id === id)).toMatchObject({ isEnabled: false });
      await engine.removeJob(id, signal);
      await expect(engine.job(id, signal)).rejects.toBeInstanceOf(Missing);
    });

    it('runs a job once at a time, and lists its runs in pages, newest first', async () => {
      const { id } = await makeJob();
      await expect(engine.stopJob(id, signal)).rejects.toBeInstanceOf(Refused);
      for (let run = 0; run < 2; run += 1) {
        const session = await engine.startJob(id, signal);
        expect((await engine.job(id, signal)).lastSession).toMatchObject({ id: session, result: 'Running' });
        await expect(engine.startJob(id, signal)).rejects.toBeInstanceOf(Refused);
        await engine.stopJob(id, signal);
        const ended = async () => (await engine.job(id, signal)).lastSession?.endedAt;
        await expect.poll(ended).toBeInstanceOf(Date);
      }
      const first = await engine.listSessions(id, { limit: 1, offset: 0 }, signal);
      const second = await engine.listSessions(id, { limit: 1, offset: 1 }, signal);
      expect([first.next, second.next]).toEqual([true, false]);
      const [newest, oldest] = [...first.rows, ...second.rows];
      expect(newest).toMatchObject({ jobId: id, isStopped: true, result: 'Warning' });
      expect(newest?.startedAt.getTime()).toBeGreaterThanOrEqual(oldest?.startedAt.getTime() ?? Number.NaN);
      expect((await engine.listSessionLog(newest?.id ?? '', { limit: 10, offset: 0 }, signal)).next).toBe(false);
    });

    it('says what is missing', async () => {
      const id = randomUUID();
      const job = { ...JOB, repositoryId: id };
      for (const asked of [
        () => engine.job(id, signal),
        () => engine.createJob(job, signal),
        () => engine.changeJob(id, job, signal),
        () => engine.removeJob(id, signal),
        () => engine.startJob(id, signal),
        () => engine.stopJob(id, signal),
        () => engine.switchJob(id, true, signal),
        () => engine.changeRepository(id, {}, signal),
        () => engine.removeRepository(id, signal),
        () => engine.listSessions(id, { limit: 1, offset: 0 }, signal),
        () => engine.listSessionLog(id, { limit: 1, offset: 0 }, signal),
      ])
        await expect(asked()).rejects.toBeInstanceOf(Missing);
    });

    it('shows and changes nothing of another organization', async () => {
      const { id, repositoryId } = await makeJob();
      const { stranger } = harness;
      expect([await stranger.listJobs(signal), await stranger.listRepositories(signal)]).toEqual([[], []]);
      const session = await engine.startJob(id, signal);
      for (const asked of [
        () => stranger.job(id, signal),
        () => stranger.createJob({ ...JOB, repositoryId }, signal),
        () => stranger.changeJob(id, { ...JOB, repositoryId }, signal),
        () => stranger.removeJob(id, signal),
        () => stranger.startJob(id, signal),
        () => stranger.stopJob(id, signal),
        () => stranger.switchJob(id, false, signal),
        () => stranger.changeRepository(repositoryId, { name: 'Theirs' }, signal),
        () => stranger.removeRepository(repositoryId, signal),
        () => stranger.listSessions(id, { limit: 1, offset: 0 }, signal),
        () => stranger.listSessionLog(session, { limit: 1, offset: 0 }, signal),
      ])
        await expect(asked()).rejects.toBeInstanceOf(Missing);
      expect(await engine.job(id, signal)).toMatchObject({ isEnabled: true, lastSession: { id: session } });
      await engine.stopJob(id, signal);
    });

    it('keeps a job that runs, until it has ended', async () => {
      const { id } = await makeJob();
      await engine.startJob(id, signal);
      await expect(engine.removeJob(id, signal)).rejects.toMatchObject({ code: 'JOB_RUNNING' });
      await engine.stopJob(id, signal);
      await expect.poll(async () => (await engine.job(id, signal)).lastSession?.endedAt).toBeInstanceOf(Date);
      await engine.removeJob(id, signal);
      await expect(engine.job(id, signal)).rejects.toBeInstanceOf(Missing);
    });

    describeObjects(() => engine);

    it('ends at once with the reason of a signal that is aborted', async () => {
      const reason = new Error('enough');
      const aborted = AbortSignal.abort(reason);
      await expect(engine.listJobs(aborted)).rejects.toBe(reason);
      await expect(engine.startJob(randomUUID(), aborted)).rejects.toBe(reason);
      const objects = { kind: 'user', search: '', parentId: null, limit: 10, offset: 0 } as const;
      await expect(engine.listObjects(objects, aborted)).rejects.toBe(reason);
    });

    it('lists its proxies and their pools', async () => {
      const [proxies, pools] = [await engine.listProxies(signal), await engine.listProxyPools(signal)];
      const known = new Set(proxies.map(({ id }) => id));
      expect(pools.flatMap(({ proxyIds }) => proxyIds).filter((id) => !known.has(id))).toEqual([]);
    });
  });
}
