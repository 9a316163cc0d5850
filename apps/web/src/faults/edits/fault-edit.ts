import { type Cause, editFaults, type FaultChange } from '@keepwatch/contract/faults/faults';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { type Edit, stateBack } from '../../entities/run-edits/undo.ts';
import type { Api } from '../../kit/api.ts';
import { nameOfRow } from '../fault-texts.ts';
import type { FaultFilter } from '../faults.data.ts';
import { nextMoment } from '../moments.ts';
import { faultsOf, type QueueRow } from '../queue-row.ts';

/** Faults that one call changes by their ids at most. */
const IDS_MAX = 1_000;

/** A cause as a line shows it: what came since was not looked at. */
type ShownCause = Pick<Cause, 'key' | 'lastStartedAt'>;

/** What a change is about. */
export interface Target {
  ids: readonly string[];
  /** Causes, each with those of its faults that its line showed and that no other user has. */
  causes: readonly ShownCause[];
  /** All that is healed. */
  isHealed?: true;
  /** Faults, as far as they are known. */
  count: number;
  /** What it is called where it is one thing. */
  name: string | null;
}

export function targetOf(rows: readonly QueueRow[]): Target {
  const [first] = rows;
  return {
    ids: rows.flatMap(({ group, fault }) => (group === null ? [fault._id] : [])),
    causes: rows.flatMap(({ group }) => group ?? []),
    count: faultsOf(rows),
    name: rows.length === 1 && first !== undefined ? nameOfRow(first) : null,
  };
}

/** What became of a change. */
export interface Outcome {
  changed: number;
  /** Faults that were so already: another user was first. */
  unchanged: number;
  /** Faults that no longer exist. */
  notFound: number;
  /** The ids of both. */
  settledIds: readonly string[];
  /** Faults that were left out because other users have them. */
  ofOthers: CallReply<typeof editFaults>['ofOthers'];
  /** What is asked for later knows of the change. */
  answeredAt: number;
  /** The changes of runs that undo it. */
  undoing: readonly Edit[];
  error: unknown;
}

/** Which faults one call changes. */
type Part = Pick<CallRequest<typeof editFaults>['body'], 'ids' | 'of'>;

function partsOf({ ids, causes, isHealed }: Target, filter: FaultFilter): Part[] {
  const parts: Part[] = [];
  for (let first = 0; first < ids.length; first += IDS_MAX) parts.push({ ids: ids.slice(first, first + IDS_MAX) });
  for (const { key: cause, lastStartedAt } of causes)
    parts.push({ of: { cause, filter: { ...filter, lastStartedUntil: lastStartedAt }, withoutOthers: true } });
  if (isHealed) parts.push({ of: { filter: { ...filter, state: ['healed'] } } });
  return parts;
}

/** Sends a change, one call for ids and one for each cause; stops at the first failure and says how far it came. */
export async function sendFaultEdit(
  api: Api,
  target: Target,
  change: FaultChange,
  filter: FaultFilter,
): Promise<Outcome> {
  const outcome = { changed: 0, unchanged: 0, notFound: 0, error: null };
  const undoing: Edit[] = [];
  const settledIds: string[] = [];
  const ofOthers: Outcome['ofOthers'] = [];
  for (const part of partsOf(target, filter)) {
    try {
      const reply = await api.request(editFaults, { body: { ...part, change } });
      outcome.changed += reply.changed;
      outcome.unchanged += reply.unchanged;
      outcome.notFound += reply.notFound.length;
      settledIds.push(...reply.unchangedIds, ...reply.notFound);
      ofOthers.push(...reply.ofOthers);
      undoing.push(...undoingOf(reply));
    } catch (error) {
      return { ...outcome, undoing, settledIds, ofOthers, answeredAt: nextMoment(), error };
    }
  }
  return { ...outcome, undoing, settledIds, ofOthers, answeredAt: nextMoment() };
}

/** States go back to what each run had at the server; the note is removed from the runs that got it. */
function undoingOf({ before, madeAt, noteId, notedIds }: CallReply<typeof editFaults>): Edit[] {
  const states = before.map(({ ids, spans, ...earlier }) => {
    const { change, undoes } = stateBack(earlier, madeAt);
    return { ids, spans, change, undoes: { ...undoes, ofFaults: true } };
  });
  return noteId === null ? states : [...states, { ids: notedIds, change: { removeNote: noteId } }];
}
