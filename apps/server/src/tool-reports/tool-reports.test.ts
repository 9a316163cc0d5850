import { describe, expect, it } from 'vitest';
import { Refusal } from '../foundation/errors.ts';
import { readReport } from './read-report.ts';

const NOW = new Date('2026-03-02T08:00:00.000Z');

function read(
  body: string | readonly object[],
  given: { jobName?: string | null; exitCode?: number; now?: Date } = {},
) {
  const text = typeof body === 'string' ? body : body.map((value) => JSON.stringify(value)).join('\n');
  const jobName = given.jobName === undefined ? 'home' : given.jobName;
  return readReport(text, { jobName, exitCode: given.exitCode ?? null, now: given.now ?? NOW });
}

function statusOf(work: () => unknown): number | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.status : null;
  }
}

const STATUS = { message_type: 'status', percent_done: 0.5, total_files: 10, current_files: ['/home/a'] };
const SUMMARY_14 = {
  message_type: 'summary',
  files_new: 3,
  files_changed: 2,
  files_unmodified: 1,
  data_added: 601_396,
  total_files_processed: 6,
  total_bytes_processed: 600_000,
  total_duration: 12.5,
  snapshot_id: '0ea3445d',
};
const SUMMARY_18 = {
  ...SUMMARY_14,
  data_added_packed: 300_000,
  backup_start: '2026-03-02T08:30:00.123456789+01:00',
  backup_end: '2026-03-02T08:30:12.623456789+01:00',
};
const ERROR_14 = {
  message_type: 'error',
  error: { Op: 'open', Path: '/home/b', Err: 13 },
  during: 'archival',
  item: '/home/b',
};

describe('a report of restic', () => {
  it('of version 0.14 ends on arrival and has the reported duration', () => {
    expect(read([STATUS, SUMMARY_14])).toMatchObject([
      {
        jobName: 'home',
        sourceGroup: 'file-share-jobs',
        result: 'Success',
        startedAt: new Date('2026-03-02T07:59:47.500Z'),
        endedAt: NOW,
        durationMs: 12_500,
        transferredBytes: 601_396,
        processedBytes: 600_000,
        processedFiles: 6,
        sizeBytes: 600_000,
        message: 'Snapshot 0ea3445d: 3 files new, 2 changed, 1 unmodified.',
        log: [],
      },
    ]);
  });

  it('of version 0.18 has the reported times and compressed bytes', () => {
    expect(read([SUMMARY_18])).toMatchObject([
      {
        startedAt: new Date('2026-03-02T07:30:00.123Z'),
        endedAt: new Date('2026-03-02T07:30:12.623Z'),
        transferredBytes: 300_000,
        madeId: null,
      },
    ]);
  });

  it.each([
    ['files were not read and the exit code is unknown', {}, 'Warning'],
    ['it ended with 3', { exitCode: 3 }, 'Warning'],
    ['it ended with 1', { exitCode: 1 }, 'Failed'],
    ['it ended with 130', { exitCode: 130 }, 'Failed'],
  ] as const)('has the result of its end: %s', (_why, given, result) => {
    const [run] = read([ERROR_14, SUMMARY_14], given);
    expect(run).toMatchObject({ result, log: [{ level: 'error', text: 'archival: /home/b: open error 13' }] });
    expect(run?.message).toContain('Not read: 1 item.');
  });

  it.each([
    ['a check', { message_type: 'summary', num_errors: 0, broken_packs: null, suggest_prune: false }],
    ['a restore', { message_type: 'summary', total_files: 3, files_restored: 3, total_bytes: 10, bytes_restored: 10 }],
  ])('fails without a summary of its own, whatever %s after it says', (_what, other) => {
    expect(read([STATUS, other], { exitCode: 0 })).toMatchObject([{ result: 'Failed' }]);
    expect(read([SUMMARY_14, other], { exitCode: 0 })).toMatchObject([{ result: 'Success', processedFiles: 6 }]);
  });

  it('has the result of its own exit code if the given one is that of a pipe, and counts unread files once', () => {
    const exit = {
      message_type: 'exit_error',
      code: 3,
      message: 'Warning: at least one source file could not be read',
    };
    const [run] = read([ERROR_14, SUMMARY_18, exit], { exitCode: 0 });
    expect(run?.result).toBe('Warning');
    expect(run?.message).toContain('Not read: 1 item. Exit code 3.');
  });

  it('fails with its last message when it has no summary', () => {
    const exit = { message_type: 'exit_error', code: 1, message: 'Fatal: unable to open repository' };
    const [run] = read([STATUS, exit]);
    expect(run).toMatchObject({ result: 'Failed', startedAt: NOW, endedAt: NOW });
    expect(run?.message).toBe('restic ended without a summary. Exit code 1. Fatal: unable to open repository');
  });

  it('fails when the tool was killed in the middle of a line', () => {
    const [run] = read(`${JSON.stringify(STATUS)}\n{"message_type":"stat`);
    expect(run).toMatchObject({ result: 'Failed' });
  });

  it('includes error output between its messages', () => {
    const [run] = read(`Warning: at least one source file could not be read\n${JSON.stringify(SUMMARY_14)}`, {
      exitCode: 3,
    });
    expect(run).toMatchObject({ result: 'Warning', log: [{ level: 'warning' }] });
  });

  it('succeeds without a snapshot when nothing had changed', () => {
    const { snapshot_id: _, ...summary } = SUMMARY_18;
    expect(read([summary])[0]?.message).toContain('No snapshot, as nothing had changed');
  });

  it('422: is refused for several runs, whose lines cannot be separated', () => {
    expect(statusOf(() => read([ERROR_14, SUMMARY_14, SUMMARY_14], { exitCode: 0 }))).toBe(422);
  });

  it('422: is refused for a dry run, and without a job name', () => {
    expect(statusOf(() => read([{ ...SUMMARY_14, dry_run: true }]))).toBe(422);
    expect(statusOf(() => read([SUMMARY_14], { jobName: null }))).toBe(422);
  });
});

/** Output of borg 1.2 with local times without a zone, here two hours ahead of UTC. */
const CREATED = {
  archive: {
    name: 'home-2026-03-02',
    id: 'd799c37e20d67152b12c68816f19b218595b49b162d933ea550d28cf3e1e122a',
    duration: 65.25,
    start: '2026-03-02T09:58:50.000000',
    end: '2026-03-02T09:59:55.000000',
    stats: { nfiles: 3, original_size: 600_480, compressed_size: 600_463, deduplicated_size: 1_200 },
  },
  cache: {},
  encryption: { mode: 'none' },
  repository: { location: '/backup' },
};
const BORG_WARNING = {
  type: 'log_message',
  time: 1_772_438_390.5,
  message: 'b: Permission denied',
  levelname: 'WARNING',
};

describe('a report of borg', () => {
  it('is read from several lines, with its local time converted', () => {
    expect(read(JSON.stringify(CREATED, null, 4))).toMatchObject([
      {
        result: 'Success',
        startedAt: new Date('2026-03-02T07:58:50.000Z'),
        endedAt: new Date('2026-03-02T07:59:55.000Z'),
        durationMs: 65_250,
        transferredBytes: 1_200,
        processedBytes: 600_480,
        processedFiles: 3,
        sizeBytes: 600_480,
        message: 'Archive home-2026-03-02 (d799c37e20d6): 3 files.',
      },
    ]);
  });

  it.each([
    ['UTC', '01:04:00', '04:00:00', 0],
    ['UTC+1', '02:04:00', '05:00:00', 60],
    ['UTC-5', '20:04:00', '23:00:00', -300],
    ['UTC+5:30', '06:34:00', '09:30:00', 330],
    ['UTC+1, but UTC+2 at its end', '02:04:00', '06:00:00', 120],
  ])('of a long run in %s has the start that was, not the end once more', (_zone, start, end, zoneMinutes) => {
    const day = zoneMinutes < 0 ? '2026-03-01' : '2026-03-02';
    const times = { start: `${day}T${start}.000000`, end: `${day}T${end}.000000`, duration: 10_560 };
    const arrivedAt = new Date('2026-03-02T04:00:20.000Z');
    expect(read([{ ...CREATED, archive: { ...CREATED.archive, ...times } }], { now: arrivedAt })).toMatchObject([
      {
        startedAt: new Date('2026-03-02T01:04:00.000Z'),
        endedAt: new Date('2026-03-02T04:00:00.000Z'),
        durationMs: 10_560_000,
      },
    ]);
  });

  it.each([300, undefined])('of five minutes has its start with a reported duration of %s', (duration) => {
    const archive = { ...CREATED.archive, start: '2026-03-02T13:24:00', end: '2026-03-02T13:29:00', duration };
    expect(read([{ ...CREATED, archive }])).toMatchObject([
      {
        startedAt: new Date('2026-03-02T07:54:00.000Z'),
        endedAt: new Date('2026-03-02T07:59:00.000Z'),
        durationMs: 300_000,
      },
    ]);
  });

  it('has the reported time if that includes a zone', () => {
    const archive = { ...CREATED.archive, start: '2026-03-02T06:00:00+05:30', end: '2026-03-02T06:01:05+05:30' };
    expect(read([{ ...CREATED, archive }])[0]?.startedAt).toEqual(new Date('2026-03-02T00:30:00.000Z'));
  });

  it.each([
    ['the exit code is unknown', {}, 'Warning'],
    ['it ended with 1', { exitCode: 1 }, 'Warning'],
    ['it ended with 107, a warning of borg 1.4', { exitCode: 107 }, 'Warning'],
    ['it ended with 0', { exitCode: 0 }, 'Success'],
    ['it ended with 2', { exitCode: 2 }, 'Failed'],
  ] as const)('with a warning in its log has the result of its end: %s', (_why, given, result) => {
    expect(read([BORG_WARNING, CREATED], given)).toMatchObject([
      { result, log: [{ level: 'warning', text: 'b: Permission denied', at: new Date(1_772_438_390_500) }] },
    ]);
  });

  it.each([
    ['as text', "b: open: [Errno 13] Permission denied: 'b'\n"],
    ['in its log', `${JSON.stringify({ ...BORG_WARNING, message: "b: open: [Errno 13] Permission denied: 'b'" })}\n`],
  ])('says what it could not read %s, and is no plain success then', (_how, unread) => {
    const body = unread + JSON.stringify(CREATED, null, 4);
    expect(read(body)).toMatchObject([{ result: 'Warning', log: [{ level: 'error' }] }]);
    expect(read(body, { exitCode: 0 })).toMatchObject([{ result: 'Success', log: [{ level: 'error' }] }]);
  });

  it('422: is refused for several runs', () => {
    expect(statusOf(() => read([BORG_WARNING, CREATED, CREATED], { exitCode: 0 }))).toBe(422);
  });

  it('fails with its last message when it has no archive', () => {
    const error = { type: 'log_message', levelname: 'ERROR', message: 'Repository does not exist.' };
    const [run] = read([error], { exitCode: 2 });
    expect(run).toMatchObject({ result: 'Failed' });
    expect(run?.message).toBe('borg ended without an archive. Exit code 2. Repository does not exist.');
  });
});

describe('a report of a tool that failed before it printed its own form', () => {
  it('is a failure with the printed text when the exit code is that of a failure', () => {
    const [run] = read('Fatal: unable to open config file\nIs there a repository?', { exitCode: 1 });
    expect(run).toMatchObject({
      result: 'Failed',
      startedAt: NOW,
      log: [{ text: 'Fatal: unable to open config file' }, {}],
    });
    expect(read('', { exitCode: 137 })[0]?.message).toBe('Ended with exit code 137. It printed nothing.');
  });

  it('is a failure, not an internal error, when it printed a hundred thousand nested brackets', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(read(deep, { exitCode: 1 })).toMatchObject([{ result: 'Failed' }]);
    expect(statusOf(() => read(`{"a":${deep}}`, { exitCode: 1 }))).toBe(400);
  });

  it('422: is refused unless the exit code is that of a failure', () => {
    expect(statusOf(() => read('Everything is fine'))).toBe(422);
    expect(statusOf(() => read(''))).toBe(422);
    expect(statusOf(() => read('', { exitCode: 0 }))).toBe(422);
    expect(statusOf(() => read('{"some":"thing"}'))).toBe(422);
  });
});
