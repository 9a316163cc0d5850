import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../server.ts';
import { ask, at, listAt, readAll, textAt } from '../testing/console-client.ts';
import { processorMs } from '../testing/processor-time.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const dayMs = 86_400_000;
const heatmap = (fromMs: number, toMs: number) =>
  `/infrastructure/jobSessionHeatmap/?from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ tls: false, now: () => new Date(now) });
});
afterAll(() => sandbox.stop());

/** Last runs of a list, with the name and the organization a session can be found by. */
async function lastRuns(path: string, owner: (job: unknown) => unknown) {
  return (await readAll(sandbox, path))
    .map((job) => ({
      name: at(job, 'name'),
      owner: owner(job),
      start: at(job, 'lastRun'),
      end: at(job, 'lastEndTime'),
    }))
    .filter((run): run is typeof run & { start: string } => typeof run.start === 'string' && run.end !== null);
}

test('the heatmap has the last run of every job on its day, by name and organization', async () => {
  const runs = [
    ...(await lastRuns(
      '/infrastructure/backupServers/jobs',
      (job) => at(job, 'mappedOrganizationUid') ?? at(job, 'organizationUid'),
    )),
    ...(await lastRuns('/infrastructure/backupAgents/jobs', (job) => at(job, 'organizationUid'))),
  ].filter((run) => Date.parse(run.start) > now - 3 * dayMs);
  expect(runs.length).toBeGreaterThan(1000);
  const { body } = await ask(sandbox, heatmap(now - 3 * dayMs, now));
  const sessions = listAt(body, 'data', 'dataPerDays').flatMap((day) =>
    listAt(day, 'sessions').map((session) => ({ day, session })),
  );
  const keys = new Set(
    sessions.map(({ day, session }) =>
      [
        at(day, 'date'),
        at(session, 'jobName'),
        at(session, 'organizationUid'),
        Date.parse(textAt(session, 'startTime')),
      ].join('|'),
    ),
  );
  for (const { name, owner, start } of runs) {
    const startMs = Date.parse(start);
    expect(keys).toContain([new Date(startMs).toISOString().slice(0, 10), name, owner, startMs].join('|'));
  }
});

test('the heatmap counts what it lists, and has about 3,000 sessions a day', async () => {
  const { body } = await ask(sandbox, heatmap(now - dayMs, now));
  const sessions = listAt(body, 'data', 'dataPerDays').flatMap((day) => listAt(day, 'sessions'));
  const count = (result: string) => sessions.filter((session) => at(session, 'result') === result).length;
  expect(at(body, 'data')).toMatchObject({
    successJobsCount: count('Success'),
    warningJobsCount: count('Warning'),
    failJobsCount: count('Failed'),
  });
  expect(sessions.length).toBeGreaterThan(2500);
  expect(sessions.length).toBeLessThan(3500);
});

test('the heatmap contains no ids of jobs', async () => {
  const { text } = await ask(sandbox, heatmap(now - dayMs, now));
  expect(text).not.toContain('"jobUid"');
  const [job] = await readAll(sandbox, '/infrastructure/backupServers/jobs');
  expect(text).not.toContain(textAt(job, 'uniqueUid'));
  expect(text).not.toContain(textAt(job, 'instanceUid'));
});

test('the heatmap is empty before the history begins and after now', async () => {
  for (const [fromMs, toMs] of [
    [now - 200 * dayMs, now - 101 * dayMs],
    [now, now + dayMs],
  ] as const) {
    expect(at((await ask(sandbox, heatmap(fromMs, toMs))).body, 'data', 'dataPerDays')).toEqual([]);
  }
});

// A day takes less than a tenth of a second; one that made the whole history for each day would take ten.
test('the heatmap answers twenty days of a hundred, a day at a time, with less than 6 seconds of work', async () => {
  let sessions = 0;
  const askDays = async () => {
    for (let day = 1; day <= 100; day += 5) {
      const { body } = await ask(sandbox, heatmap(now - day * dayMs, now - (day - 1) * dayMs));
      sessions += listAt(body, 'data', 'dataPerDays').flatMap((entry) => listAt(entry, 'sessions')).length;
    }
  };
  expect(await processorMs(askDays)).toBeLessThan(6_000);
  expect(sessions).toBeGreaterThan(50_000);
}, 60_000);
