import {
  editJobExecutions,
  type JobExecution,
  type JobExecutionChange,
} from '@keepwatch/contract/monitoring/job-executions';
import { useQueryClient } from '@tanstack/react-query';
import { type Api, messageOf } from '../kit/api.ts';
import { changeRows } from '../kit/data-table/change-rows.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { useApi, useToasts } from '../kit/portal.tsx';
import { type ExecutionSort, KEY, listKey, PAGE_ROWS } from './daily-checks.data.ts';
import { belongs, type Question } from './filters.ts';
import { type Before, type Edit, undoEdits } from './undo.ts';

/** Runs that one call changes at most. */
const EDIT_MAX = 1_000;

interface Outcome {
  before: Before[];
  /** Runs that do not exist any more. */
  notFound: number;
  /** Why the rest was not changed. */
  error: unknown;
}

/**
 * `run` is the one that is changed, where it is one: its toast names it, so that each of several can be taken back. Gives
 * whether all of it was done.
 */
export type EditExecutions = (edit: Edit, run?: JobExecution) => Promise<boolean>;

/** Changes runs: at once in the list, with a toast that says what was done and takes it back. */
export function useEditExecutions(question: Question, sort: ExecutionSort): EditExecutions {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  const show = (before: readonly Before[], change: JobExecutionChange) => {
    const ids = new Set(before.map((run) => run._id));
    changeRows<JobExecution>(queries, listKey(question, sort), PAGE_ROWS, (run) => {
      if (!ids.has(run._id)) return run;
      const changed = changedRun(run, change);
      return belongs(changed.state, question) ? changed : null;
    });
    return queries.invalidateQueries({ queryKey: KEY });
  };
  const undo = async (outcome: Outcome, change: JobExecutionChange, run: JobExecution | undefined) => {
    const outcomes = [];
    for (const edit of undoEdits(outcome.before, change)) outcomes.push(await send(api, edit));
    const failed = outcomes.find(({ error }) => error !== null);
    if (failed === undefined) toasts.info(undoneText(outcome, change, run));
    else toasts.error(`Not everything could be taken back. ${messageOf(failed.error)}`);
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return async (edit, run) => {
    const outcome = await send(api, edit);
    const action = { label: 'Undo', run: () => void undo(outcome, edit.change, run) };
    const isWhole = outcome.error === null && outcome.notFound === 0;
    if (isWhole) toasts.success(textOf(edit, outcome, run), action);
    else if (outcome.before.length === 0 && outcome.error !== null) toasts.error(messageOf(outcome.error));
    else toasts.error(textOf(edit, outcome, run), action);
    await show(outcome.before, edit.change);
    return isWhole;
  };
}

/**
 * A thousand at a time; stops at the first failure and says how far it came. One run goes the same way, not through
 * `editJobExecution`: that answers what the run is now, and undo needs what it was at the server. What the list shows may
 * be older, as somebody else may have resolved the run since; taking that back would undo their work.
 */
async function send(api: Api, { ids, change }: Edit): Promise<Outcome> {
  const outcome: Outcome = { before: [], notFound: 0, error: null };
  for (let first = 0; first < ids.length; first += EDIT_MAX) {
    try {
      const body = { ids: ids.slice(first, first + EDIT_MAX), change };
      const reply = await api.request(editJobExecutions, { body });
      outcome.before.push(...reply.before.map((run) => ({ ...run, noteId: reply.noteId })));
      outcome.notFound += reply.notFound.length;
    } catch (error) {
      return { ...outcome, error };
    }
  }
  return outcome;
}

const DONE = { pending: 'reopened', 'in-progress': 'marked in progress', resolved: 'resolved', ignored: 'ignored' };

function textOf({ ids, change }: Edit, { before, notFound, error }: Outcome, run: JobExecution | undefined): string {
  const done = change.state === undefined ? 'noted' : DONE[change.state];
  if (error !== null) return `${formatCount(before.length)} of ${runs(ids.length)} ${done}. ${messageOf(error)}`;
  if (notFound > 0)
    return `${formatCount(before.length)} of ${runs(ids.length)} ${done}; the others do not exist any more.`;
  return `${run === undefined ? runs(before.length) : nameOf(run)} ${done}.`;
}

/** `Taken back: Job 1 (Acme) is not resolved any more.` */
function undoneText({ before }: Outcome, change: JobExecutionChange, run: JobExecution | undefined): string {
  const what = run === undefined ? runs(before.length) : nameOf(run);
  if (change.state === undefined) return `Taken back: the note on ${what}.`;
  return `Taken back: ${what} ${before.length === 1 ? 'is' : 'are'} not ${DONE[change.state]} any more.`;
}

function nameOf({ jobName, companyName }: JobExecution): string {
  return `${jobName} (${companyName ?? 'no company'})`;
}

/** `1 run`, `1,234 runs`. */
function runs(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'run' : 'runs'}`;
}

function changedRun(run: JobExecution, { state, note, ignoredUntil }: JobExecutionChange): JobExecution {
  return {
    ...run,
    ...(state === undefined ? {} : { state, ignoredUntil: ignoredUntil ?? null }),
    ...(note === undefined ? {} : { note: note.content === '' ? null : note.content }),
  };
}
