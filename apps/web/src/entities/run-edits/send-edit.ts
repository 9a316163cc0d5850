import { editJobExecutions } from '@keepwatch/contract/executions/job-executions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { Api } from '../../kit/api.ts';
import type { Before, Edit } from './undo.ts';

/** Runs that one call changes at most. */
const EDIT_MAX = 1_000;

/** What became of a change. */
export interface Outcome {
  before: Before[];
  /** Runs that no longer exist. */
  notFound: number;
  /** Runs that were changed. */
  updated: number;
  /** How many runs an undo left as they are, because they were changed since, and which of those that were named. */
  runsChangedSince: number;
  changedSince: string[];
  /** Runs that were not changed, because of `error`. */
  failedIds: string[];
  error: unknown;
}

export function isWhole({ error, notFound }: Outcome): boolean {
  return error === null && notFound === 0;
}

/**
 * Sends a change, a thousand runs at a time; stops at the first failure and says how far it came. One run goes the same way, not
 * through `editJobExecution`: that answers what the run is now, and undo needs what it was at the server. What the list shows may
 * be older, as another user may have resolved the run since; undoing that would undo their work.
 */
export async function sendEdit(api: Pick<Api, 'request'>, { ids, spans = [], ...edit }: Edit): Promise<Outcome> {
  const outcome: Outcome = {
    before: [],
    notFound: 0,
    updated: 0,
    runsChangedSince: 0,
    changedSince: [],
    failedIds: [],
    error: null,
  };
  for (let first = 0; first < ids.length; first += EDIT_MAX) {
    try {
      add(
        outcome,
        await api.request(editJobExecutions, { body: { ids: ids.slice(first, first + EDIT_MAX), ...edit } }),
      );
    } catch (error) {
      return { ...outcome, failedIds: ids.slice(first), error };
    }
  }
  for (let first = 0; first < spans.length; first += EDIT_MAX) {
    try {
      const sent = spans.slice(first, first + EDIT_MAX);
      const body = { ids: [], spans: sent.map(({ runs, ...span }) => span), ...edit };
      const reply = await api.request(editJobExecutions, { body });
      add(outcome, reply);
      outcome.runsChangedSince += sent.reduce((sum, { runs }) => sum + runs, 0) - reply.updated;
    } catch (error) {
      return { ...outcome, error };
    }
  }
  return outcome;
}

function add(outcome: Outcome, reply: CallReply<typeof editJobExecutions>): void {
  const { madeAt, noteId, changedSince } = reply;
  outcome.before.push(...reply.before.map((run) => ({ ...run, madeAt, noteId })));
  outcome.notFound += reply.notFound.length;
  outcome.updated += reply.updated;
  outcome.runsChangedSince += changedSince.length;
  outcome.changedSince.push(...changedSince);
}
