import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Microsoft365Engine,
  Missing,
  type NewJob,
  type NewRepository,
  Refused,
  type RepositoryPlace,
  type Storing,
} from '../ports/microsoft365-engine.ts';
import { describeObjects } from './microsoft365-engine-objects.suite.ts';

/** An engine to run the suite against, of an organization that has users, groups, teams and sites, and no repositories and jobs. */
export interface EngineHarness<Transaction> {
  engine: Microsoft365Engine<Transaction>;
  /** The same engine for another organization. */
  stranger: Microsoft365Engine<Transaction>;
  /** Stores a change that was asked for in a transaction of its own. */
  commit<T>(store: Storing<Transaction, T>): Promise<T>;
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
export function describeMicrosoft365Engine<Transaction>(
  name: string,
  start: () => Promise<EngineHarness<Transaction>>,
): void {
  describe(`${name} as an engine of Microsoft 365`, () => {
    type Engine = Microsoft365Engine<Transaction>;
    let harness: EngineHarness<Transaction>;
    let engine: Engine;
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
    /** Asks for a change and stores it. */
    const done = async <T>(asked: Promise<Storing<Transaction, T>>): Promise<T> => harness.commit(await asked);
    const makeRepository = async () => done(engine.createRepository(await newRepository(), signal));
    const makeJob = async () => {
      const repositoryId = await makeRepository();
      return { repositoryId, id: await done(engine.createJob({ ...JOB, repositoryId }, false, signal)) };
    };
    const hasEnded = async (id: string) =>
      expect.poll(async () => (await engine.job(id, signal)).lastSession?.endedAt).toBeInstanceOf(Date);
    const sameIds = (id: string) => ({ jobId: id, repositoryId: id, sessionId: id });

    /** All that is asked of one job, repository or run. */
    const questions = (
      asked: Engine,
      { jobId, repositoryId, sessionId }: ReturnType<typeof sameIds>,
      until: AbortSignal,
    ): Record<string, () => Promise<unknown>> => {
      const job = { ...JOB, repositoryId };
      const page = { limit: 1, offset: 0 };
      return {
        hasBackups: () => asked.hasBackups(repositoryId, until),
        changeRepository: () => done(asked.changeRepository(repositoryId, { name: 'Theirs' }, until)),
        removeRepository: () => done(asked.removeRepository(repositoryId, until)),
        job: () => asked.job(jobId, until),
        createJob: () => done(asked.createJob(job, true, until)),
        changeJob: () => done(asked.changeJob(jobId, job, true, until)),
        removeJob: () => done(asked.removeJob(jobId, until)),
        startJob: () => done(asked.startJob(jobId, until)),
        stopJob: () => done(asked.stopJob(jobId, until)),
        switchJob: () => done(asked.switchJob(jobId, false, until)),
        listSessions: () => asked.listSessions(jobId, page, until),
        listSessionLog: () => asked.listSessionLog(sessionId, page, until),
      };
    };

    it('says its version', async () => {
      expect((await engine.test(signal)).version).toMatch(/^\d/);
    });

    it('makes, lists, changes and removes repositories', async () => {
      const id = await makeRepository();
      const find = async () => (await engine.listRepositories(signal)).find((one) => one.id === id);
      expect(await find()).toMatchObject({ name: 'Nightly', retentionYears: 7, passwordDescription: 'in the safe' });
      expect(await engine.hasBackups(id, signal)).toBe(false);
      await done(engine.changeRepository(id, { name: 'Renamed', retentionYears: null }, signal));
      expect(await find()).toMatchObject({ name: 'Renamed', retentionYears: null, passwordDescription: 'in the safe' });
      await done(engine.removeRepository(id, signal));
      expect(await find()).toBeUndefined();
    });

    it('stores no repository before it is asked to, and none in a place that another one was given meanwhile', async () => {
      const before = await engine.listRepositories(signal);
      const store = await engine.createRepository(await newRepository(), signal);
      expect(await engine.listRepositories(signal)).toEqual(before);
      await harness.commit(store);
      expect(await engine.listRepositories(signal)).toHaveLength(before.length + 1);
      await expect(harness.commit(store)).rejects.toBeInstanceOf(Refused);
    });

    it('refuses a place that another repository has, and a repository that a job uses', async () => {
      const given = await newRepository();
      const repositoryId = await done(engine.createRepository(given, signal));
      await expect(done(engine.createRepository(given, signal))).rejects.toBeInstanceOf(Refused);
      await done(engine.createJob({ ...JOB, repositoryId }, false, signal));
      await expect(done(engine.removeRepository(repositoryId, signal))).rejects.toBeInstanceOf(Refused);
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
      await done(engine.changeJob(id, changed, false, signal));
      expect(await engine.job(id, signal)).toMatchObject({ ...changed, nextRunAt: null, lastSession: null });
      await done(engine.switchJob(id, false, signal));
      expect((await engine.listJobs(signal)).find((one) => one.id === id)).toMatchObject({ isEnabled: false });
      await done(engine.removeJob(id, signal));
      await expect(engine.job(id, signal)).rejects.toBeInstanceOf(Missing);
    });

    it('runs a job at once that is made or changed to, and once if it runs already', async () => {
      const repositoryId = await makeRepository();
      const id = await done(engine.createJob({ ...JOB, repositoryId }, true, signal));
      const { lastSession } = await engine.job(id, signal);
      expect(lastSession).toMatchObject({ result: 'Running' });
      await done(engine.changeJob(id, { ...JOB, repositoryId, name: 'Renamed' }, true, signal));
      expect(await engine.job(id, signal)).toMatchObject({ name: 'Renamed', lastSession: { id: lastSession?.id } });
      await done(engine.stopJob(id, signal));
      await hasEnded(id);
      await done(engine.changeJob(id, { ...JOB, repositoryId }, true, signal));
      expect((await engine.job(id, signal)).lastSession).toMatchObject({ result: 'Running' });
      await done(engine.stopJob(id, signal));
    });

    it('runs a job once at a time, and lists its runs in pages, newest first', async () => {
      const { id } = await makeJob();
      await expect(done(engine.stopJob(id, signal))).rejects.toBeInstanceOf(Refused);
      for (let run = 0; run < 2; run += 1) {
        const session = await done(engine.startJob(id, signal));
        expect((await engine.job(id, signal)).lastSession).toMatchObject({ id: session, result: 'Running' });
        await expect(done(engine.startJob(id, signal))).rejects.toBeInstanceOf(Refused);
        await done(engine.stopJob(id, signal));
        await hasEnded(id);
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
      for (const [name, ask] of Object.entries(questions(engine, sameIds(randomUUID()), signal)))
        await expect(ask(), name).rejects.toBeInstanceOf(Missing);
    });

    it('shows and changes nothing of another organization', async () => {
      const { id, repositoryId } = await makeJob();
      const { stranger } = harness;
      expect([await stranger.listJobs(signal), await stranger.listRepositories(signal)]).toEqual([[], []]);
      const sessionId = await done(engine.startJob(id, signal));
      for (const [name, ask] of Object.entries(questions(stranger, { jobId: id, repositoryId, sessionId }, signal)))
        await expect(ask(), name).rejects.toBeInstanceOf(Missing);
      expect(await engine.job(id, signal)).toMatchObject({ isEnabled: true, lastSession: { id: sessionId } });
      await done(engine.stopJob(id, signal));
    });

    it('keeps a job that runs, until it has ended', async () => {
      const { id } = await makeJob();
      await done(engine.startJob(id, signal));
      await expect(done(engine.removeJob(id, signal))).rejects.toMatchObject({ code: 'JOB_RUNNING' });
      await done(engine.stopJob(id, signal));
      await hasEnded(id);
      await done(engine.removeJob(id, signal));
      await expect(engine.job(id, signal)).rejects.toBeInstanceOf(Missing);
    });

    describeObjects(() => engine);

    it('ends at once with the reason of a signal that is aborted', async () => {
      const reason = new Error('enough');
      const aborted = AbortSignal.abort(reason);
      const objects = {
        kind: 'user',
        search: '',
        parentId: null,
        withPersonalSites: true,
        limit: 10,
        offset: 0,
      } as const;
      const given = await newRepository();
      const all = {
        ...questions(engine, sameIds(randomUUID()), aborted),
        test: () => engine.test(aborted),
        listObjects: () => engine.listObjects(objects, aborted),
        listRepositories: () => engine.listRepositories(aborted),
        createRepository: () => engine.createRepository(given, aborted),
        listProxies: () => engine.listProxies(aborted),
        listProxyPools: () => engine.listProxyPools(aborted),
        listJobs: () => engine.listJobs(aborted),
      };
      for (const [name, ask] of Object.entries(all)) await expect(ask(), name).rejects.toBe(reason);
    });

    it('lists its proxies and their pools', async () => {
      const [proxies, pools] = [await engine.listProxies(signal), await engine.listProxyPools(signal)];
      const known = new Set(proxies.map(({ id }) => id));
      expect(pools.flatMap(({ proxyIds }) => proxyIds).filter((id) => !known.has(id))).toEqual([]);
    });
  });
}
