import { afterEach, describe, expect, it } from 'vitest';
import type { SourceJob } from '../ports/backup-source.ts';
import { drain } from '../suites/backup-source-subject.ts';
import type { Console } from '../testing/console.ts';
import { startConsole, uidOf } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import { buildJob, buildRun, buildVendorSession, COMPANY } from '../testing/entities.ts';
import { answerJson } from '../testing/vendor.ts';
import { listExecutions } from './executions.ts';

const HEATMAP = 'infrastructure/jobSessionHeatmap/';
const range = { from: new Date('2026-03-09T00:00:00Z'), to: new Date('2026-03-10T12:00:00Z') };
let running: Console;
afterEach(() => running.stop());

/** Sessions are filed under the day they began, as at the vendor. */
async function read(jobs: SourceJob[], sessions: unknown[], asked = range) {
  running = await startConsole({
    [HEATMAP]: (_, reply, url) => {
      const day = url.searchParams.get('from')?.slice(0, 10) ?? '';
      const ofDay = sessions.filter((session) => JSON.stringify(session).includes(`"startTime":"${day}`));
      answerJson(reply, { data: { dataPerDays: ofDay.length > 0 ? [{ date: day, sessions: ofDay }] : null } });
    },
  });
  return drain(listExecutions(running.client, asked, jobs, quiet()));
}

describe('last runs', () => {
  it('are certain, with an id made from job and start, and only in the range', async () => {
    const old = buildRun({ startedAt: new Date('2026-03-01T00:00:00Z'), endedAt: new Date('2026-03-01T01:00:00Z') });
    const jobs = [
      buildJob(),
      buildJob({ externalId: uidOf(2), lastRun: old }),
      buildJob({ externalId: uidOf(3), lastRun: null }),
    ];
    const { values } = await read(jobs, []);
    expect(values).toMatchObject([
      {
        externalId: `${uidOf(1)}:2026-03-09T22:00:00.000Z`,
        jobExternalId: uidOf(1),
        match: 'exact',
        origin: 'last-run',
      },
    ]);
  });

  it('are yielded once though the heatmap shows the same run a little later', async () => {
    const { values } = await read([buildJob()], [buildVendorSession()]);
    expect(values).toMatchObject([{ origin: 'last-run', transferredBytes: 1000 }]);
  });

  it('get end and duration from the heatmap where the job shows none', async () => {
    const job = buildJob({ group: 'office365', lastRun: buildRun({ endedAt: null, durationMs: null }) });
    const session = buildVendorSession({ workloadType: 'User', platformType: 'Microsoft365' });
    const { values } = await read([job], [session]);
    expect(values).toMatchObject([
      { origin: 'last-run', endedAt: new Date('2026-03-09T22:30:00Z'), durationMs: 1_780_000, result: 'Success' },
    ]);
  });

  it('that were running when their job was read have ended when the heatmap says so', async () => {
    const job = buildJob({ lastRun: buildRun({ result: 'Running', endedAt: null, durationMs: null }) });
    const { values } = await read([job], [buildVendorSession({ result: 'Failed', failureMessage: 'Disk full' })]);
    expect(values).toMatchObject([{ origin: 'last-run', result: 'Failed', message: 'Disk full' }]);
  });

  it('that still run stay running', async () => {
    const job = buildJob({ lastRun: buildRun({ result: 'Running', endedAt: null, durationMs: null }) });
    expect((await read([job], [])).values).toMatchObject([{ result: 'Running', endedAt: null }]);
  });

  it('of several jobs of one name each match their own session, and the rest stays unmatched', async () => {
    const jobs = [1, 2].map((id) => buildJob({ externalId: uidOf(id) }));
    const sessions = [1, 2, 3].map((id) => buildVendorSession({ sessionUid: uidOf(700 + id) }));
    const { values } = await read(jobs, sessions);
    expect(values.map((execution) => [execution.origin, execution.match])).toEqual([
      ['last-run', 'exact'],
      ['last-run', 'exact'],
      ['history', 'none'],
    ]);
  });
});

describe('the history', () => {
  it('has every other session with the vendor’s id, matched by name and organization', async () => {
    const earlier = buildVendorSession({
      sessionUid: uidOf(701),
      startTime: '2026-03-09T10:00:00Z',
      endTime: '2026-03-09T10:05:00Z',
      duration: 300,
      result: 'Failed',
      failureMessage: 'No route',
    });
    const { values } = await read([buildJob()], [buildVendorSession(), earlier]);
    expect(values[1]).toEqual({
      externalId: uidOf(701),
      jobName: 'Nightly',
      companyExternalId: COMPANY,
      jobExternalId: uidOf(1),
      match: 'exact',
      origin: 'history',
      startedAt: new Date('2026-03-09T10:00:00Z'),
      endedAt: new Date('2026-03-09T10:05:00Z'),
      result: 'Failed',
      durationMs: 300_000,
      transferredBytes: null,
      processedBytes: null,
      processedFiles: null,
      message: 'No route',
      log: [],
    });
  });

  it('shows retries of a run as the sessions they are', async () => {
    const retry = (id: number, time: string) =>
      buildVendorSession({
        sessionUid: uidOf(id),
        startTime: `2026-03-09T${time}:00Z`,
        endTime: `2026-03-09T${time}:30Z`,
      });
    const { values } = await read(
      [buildJob({ lastRun: null })],
      [retry(1, '10:00'), retry(2, '10:10'), retry(3, '10:20')],
    );
    expect(values).toHaveLength(3);
  });

  it('asks a day at a time from the day before, and has a session over midnight once', async () => {
    const overMidnight = buildVendorSession({ startTime: '2026-03-08T23:50:00Z', endTime: '2026-03-09T00:10:00Z' });
    const { values } = await read([], [overMidnight, overMidnight]);
    expect(values).toMatchObject([{ match: 'none', jobExternalId: null }]);
    expect(running.requestsFor(HEATMAP).map((url) => url.search)).toEqual(
      ['08', '09', '10'].map((day) => {
        const next = String(Number(day) + 1).padStart(2, '0');
        return `?from=2026-03-${day}T00%3A00%3A00.000Z&to=2026-03-${next}T00%3A00%3A00.000Z`;
      }),
    );
  });
});

describe('what the history ignores or lists', () => {
  it('ignores what neither began nor ended in the range', async () => {
    const before = buildVendorSession({ startTime: '2026-03-08T10:00:00Z', endTime: '2026-03-08T10:10:00Z' });
    expect((await read([], [before])).values).toEqual([]);
    await running.stop();
    const backwards = { from: range.to, to: range.from };
    expect((await read([buildJob()], [buildVendorSession()], backwards)).values).toEqual([]);
  });

  it('lists sessions that cannot be true or say no result, and goes on', async () => {
    const { values, failed } = await read(
      [],
      [
        buildVendorSession({ sessionUid: uidOf(1), endTime: '2026-03-09T21:00:00Z' }),
        buildVendorSession({ sessionUid: uidOf(2), result: 'Unknown' }),
        buildVendorSession({ sessionUid: uidOf(3), duration: -5 }),
        buildVendorSession({ sessionUid: uidOf(4) }),
      ],
    );
    expect(values.map((execution) => execution.externalId)).toEqual([uidOf(4)]);
    expect(failed.map(({ externalId, reason }) => [externalId, reason])).toEqual([
      [uidOf(1), expect.stringContaining('before it starts')],
      [uidOf(2), expect.stringContaining('how the run of "Nightly" ended')],
      [uidOf(3), expect.stringContaining('duration')],
    ]);
  });

  it('of public clouds gives a run its start, with what its machines said', async () => {
    const endedAt = new Date('2026-03-09T22:30:10Z');
    const log = [{ at: endedAt, level: 'warning' as const, text: 'web-2: slow' }];
    const lastRun = buildRun({ startedAt: endedAt, endedAt, durationMs: null, result: 'Warning', log });
    const job = buildJob({ group: 'public-cloud-vms', jobType: 'Azure', lastRun });
    const session = buildVendorSession({ workloadType: 'CloudVM', platformType: 'Azure', result: 'Warning' });
    expect((await read([job], [session])).values).toMatchObject([
      { externalId: uidOf(700), origin: 'history', startedAt: new Date('2026-03-09T22:00:20Z'), log },
    ]);
    await running.stop();
    expect((await read([job], [])).values).toEqual([]);
  });
});

describe('a heatmap that cannot be read', () => {
  it.each([
    ['is none', { data: [] }],
    ['is not whole', { data: { dataPerDays: [] }, errors: [{ message: 'Server B did not answer' }] }],
  ])('and %s ends as a bad reply, after the last runs', async (_, body) => {
    running = await startConsole({ [HEATMAP]: (_request, reply) => answerJson(reply, body) });
    const seen: unknown[] = [];
    const work = async () => {
      for await (const read of listExecutions(running.client, range, [buildJob()], quiet())) seen.push(read);
    };
    await expect(work()).rejects.toMatchObject({ kind: 'bad-reply' });
    expect(seen).toHaveLength(1);
  });
});
