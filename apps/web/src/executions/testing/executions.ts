import {
  editJobExecutions,
  getJobExecution,
  type JobExecution,
  type JobExecutionDetail,
  listJobExecutions,
} from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';
import { type Answers, createAnswers } from '../../testing/answers.ts';

/** The id of the run with this number. */
export const runId = (number: number) => `0193b000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** When every change is made, and what runs were before it that were never changed. */
export const MADE_AT = '2026-03-15T12:00:00.000Z';
export const UNTOUCHED = { changedById: null, changedAt: null };

/** The note that every change adds. */
export const NOTE_ID = '0193e000-0000-7000-8000-000000000001';

export function buildExecution(number: number, fields: Partial<JobExecution> = {}): JobExecution {
  return {
    _id: runId(number),
    jobInstanceUid: '0193c000-0000-7000-8000-000000000001',
    jobName: `Job ${number}`,
    sharedBy: null,
    jobType: 'Backup',
    jobScheduleState: 'Enabled',
    companyId: '0193d000-0000-7000-8000-000000000001',
    companyName: 'Acme',
    source: 'vac',
    tool: null,
    sourceGroup: 'managed-servers',
    serverName: 'server-1',
    result: 'Failed',
    state: 'pending',
    startedAt: '2026-03-15T08:00:00.000Z',
    endedAt: '2026-03-15T08:10:00.000Z',
    durationMs: 600_000,
    transferredBytes: 1_048_576,
    processedBytes: null,
    processedFiles: null,
    sizeBytes: null,
    attempts: 1,
    message: `Message of run ${number}`,
    anomalies: [],
    anomalyTexts: [],
    match: 'exact',
    note: null,
    ignoredUntil: null,
    changedBy: null,
    changedAt: null,
    ...fields,
  };
}

export function buildDetail(run: JobExecution, fields: Partial<JobExecutionDetail> = {}): JobExecutionDetail {
  return {
    ...run,
    log: [],
    anomalyTexts: [],
    notes: run.note === null ? [] : [{ _id: NOTE_ID, content: run.note, by: 'ben', at: run.startedAt, isOwn: true }],
    lastAttemptMs: run.durationMs,
    scheduleType: 'Daily',
    nextRunAt: null,
    targetName: null,
    lastSuccessAt: null,
    pastRuns: [],
    candidates: [],
    hints: [],
    solved: null,
    ...fields,
  };
}

/** A server with these runs, which it filters by state and changes as the real one does. */
export function serveRuns(runs: JobExecution[], details: Record<string, Partial<JobExecutionDetail>> = {}): Answers {
  const stored = new Map(runs.map((run) => [run._id, run]));
  const ofState = (state: State | 'all' | undefined) =>
    [...stored.values()].filter((run) => state === undefined || state === 'all' || run.state === state);
  return createAnswers()
    .on(listJobExecutions, ({ query: { limit, offset, filter } }) => {
      const found = ofState(filter.state);
      const range = { from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T23:59:59.999Z' };
      const data = found.slice(offset, offset + limit);
      return { success: true as const, count: found.length, data, query: { limit, offset, ...range } };
    })
    .on(getJobExecution, ({ params: { id } }) => {
      const run = stored.get(id) ?? buildExecution(0);
      return { success: true as const, data: buildDetail(run, details[id]) };
    })
    .on(editJobExecutions, ({ body: { ids, change } }) => {
      const found = ids.flatMap((id) => stored.get(id) ?? []);
      for (const run of found) {
        const note = change.note?.content ?? (change.removeNote === undefined ? run.note : null);
        const ignoredUntil = change.ignoredUntil ?? null;
        stored.set(run._id, { ...run, state: change.state ?? run.state, note, ignoredUntil });
      }
      const before = found.map(({ _id, state, ignoredUntil }) => ({ _id, state, ignoredUntil, ...UNTOUCHED }));
      const notFound = ids.filter((id) => !stored.has(id));
      const noteId = change.note ? NOTE_ID : null;
      return {
        success: true as const,
        updated: found.length,
        notFound,
        changedSince: [],
        madeAt: MADE_AT,
        before,
        noteId,
      };
    });
}

/** What the list was asked for: without the count beside it, which asks for one row of all that is not narrowed. */
export function askedLists(answers: Answers) {
  return answers.asked(listJobExecutions).filter(({ query }) => query.limit !== 1);
}
