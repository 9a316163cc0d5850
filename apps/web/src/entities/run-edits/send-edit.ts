import { editJobExecutions } from '@keepwatch/contract/executions/job-executions';
import type { Api } from '../../kit/api.ts';
import type { Before, Edit } from './undo.ts';

/** Runs that one call changes at most. */
const EDIT_MAX = 1_000;

/** What became of a change. */
export interface Outcome {
  before: Before[];
  /** Runs that no longer exist. */
  notFound: number;
  /** Runs that an undo left as they are, because they were changed since. */
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
export async function sendEdit(api: Api, { ids, ...edit }: Edit): Promise<Outcome> {
  const outcome: Outcome = { before: [], notFound: 0, changedSince: [], failedIds: [], error: null };
  for (let first = 0; first < ids.length; first += EDIT_MAX) {
    try {
      const reply = await api.request(editJobExecutions, {
        body: { ids: ids.slice(first, first + EDIT_MAX), ...edit },
      });
      const { madeAt, noteId } = reply;
      outcome.before.push(...reply.before.map((run) => ({ ...run, madeAt, noteId })));
      outcome.changedSince.push(...reply.changedSince);
      outcome.notFound += reply.notFound.length;
    } catch (error) {
      return { ...outcome, failedIds: ids.slice(first), error };
    }
  }
  return outcome;
}
