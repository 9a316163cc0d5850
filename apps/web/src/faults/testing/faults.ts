import { editJobExecutions, listJobExecutions, type SolvedBefore } from '@keepwatch/contract/executions/job-executions';
import {
  type Cause,
  editFaults,
  type Fault,
  type FaultFilter,
  getFault,
  listCauses,
  listFaults,
} from '@keepwatch/contract/faults/faults';
import { closeFault, type FaultViewer, listFaultViewers, openFault } from '@keepwatch/contract/faults/viewers';
import { type Changes, getChanges } from '@keepwatch/contract/insights/changes';
import { type Answers, createAnswers } from '../../testing/answers.ts';
import { buildChanges, buildId } from '../../testing/builders.ts';

/** What every changed run was before, and when it was changed. */
const PENDING = { state: 'pending', ignoredUntil: null, changedById: null, changedAt: null } as const;
export const MADE_AT = '2026-03-15T12:00:00.000Z';
const NOTE_ID = '0193e000-0000-7000-8000-000000000001';

/** The key of the cause with this number. */
export const causeKey = (number: number) => String(number).padStart(32, 'c0');

export function buildFault(number: number, fields: Partial<Fault> = {}): Fault {
  return {
    _id: buildId(number),
    jobInstanceUid: buildId(1_000 + number),
    jobName: `Job ${number}`,
    sharedBy: null,
    jobType: 'Backup',
    companyId: buildId(2_000),
    companyName: 'Acme',
    source: 'vac',
    sourceGroup: 'managed-servers',
    serverName: 'server-1',
    kind: 'failed',
    state: 'pending',
    runs: 3,
    openedAt: '2026-03-12T08:00:00.000Z',
    lastStartedAt: '2026-03-15T08:00:00.000Z',
    lastExecutionId: buildId(3_000 + number),
    closedAt: null,
    fineAt: '2026-03-11T08:00:00.000Z',
    daysWithoutFine: 4,
    message: `Message of fault ${number}`,
    anomalies: [],
    anomalyTexts: [],
    lastResults: 'SSSSSSSSSSSFFF',
    note: null,
    ignoredUntil: null,
    changedBy: null,
    changedAt: null,
    cause: { key: causeKey(number), why: 'message', subject: null, jobs: 1, companies: 1 },
    ...fields,
  };
}

/** Faults of one server that does not answer. */
export function buildSharing(numbers: readonly number[], fields: Partial<Fault> = {}): Fault[] {
  const cause = { key: causeKey(99), why: 'server', subject: 'vbr-03', jobs: numbers.length, companies: 1 } as const;
  return numbers.map((number) => buildFault(number, { cause, ...fields }));
}

/** A server with these faults, which it changes as the real one does. Tests change `stored` as other users would. */
export interface FaultServer {
  answers: Answers;
  stored: Map<string, Fault>;
  viewers: FaultViewer[];
  running: { count: number };
  /** Sources that should have been read and were not. */
  stopped: Changes['stoppedSources'];
  /** How the cause of a fault was solved before, by its id. */
  solved: Map<string, SolvedBefore>;
}

export function serveFaults(faults: readonly Fault[]): FaultServer {
  const stored = new Map(faults.map((fault) => [fault._id, fault]));
  const viewers: FaultViewer[] = [];
  const running = { count: 0 };
  const stopped: Changes['stoppedSources'] = [];
  const solved = new Map<string, SolvedBefore>();
  const matching: Matching = ({
    state = ['pending', 'in-progress', 'healed'],
    kind,
    cause,
    search,
    lastStartedUntil,
  }: FaultFilter) =>
    [...stored.values()].filter(
      (fault) =>
        state.includes(fault.state) &&
        (kind === undefined || kind.includes(fault.kind)) &&
        (cause === undefined || fault.cause.key === cause) &&
        (lastStartedUntil === undefined || fault.lastStartedAt <= lastStartedUntil) &&
        (search === undefined || fault.jobName.includes(search)),
    );
  const answers = createAnswers();
  answerReads(answers, { stored, solved }, matching);
  answerEdits(answers, { stored, viewers }, matching);
  answers
    .on(editJobExecutions, ({ body: { ids, change: made } }) => {
      const { state, removeNote } = made;
      for (const fault of stored.values()) {
        if (!ids.includes(fault.lastExecutionId)) continue;
        const before = removeNote === undefined ? fault : { ...fault, note: null };
        stored.set(fault._id, { ...before, state: state ?? fault.state, changedBy: null });
      }
      const before = ids.map((id) => ({ _id: id, ...PENDING }));
      const done = { notFound: [], changedSince: [], madeAt: MADE_AT, before, noteId: null };
      return { success: true as const, updated: ids.length, ...done };
    })
    .on(listJobExecutions, ({ query: { limit, offset, filter } }) => {
      const range = { from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T23:59:59.999Z' };
      const count = filter.type === undefined ? 10 : running.count;
      return { success: true as const, count, data: [], query: { limit, offset, ...range } };
    })
    .on(listFaultViewers, () => ({ success: true as const, data: [...viewers] }))
    .on(openFault, ({ params: { id } }) => ({
      success: true as const,
      data: viewers.filter(({ faultId, isSelf }) => faultId === id && !isSelf),
    }))
    .on(getChanges, () => ({ success: true as const, data: buildChanges({ stoppedSources: [...stopped] }) }))
    .on(closeFault, { success: true });
  return { answers, stored, viewers, running, stopped, solved };
}

/** Who has a fault, beside the operator whose screen it is. */
function otherUserOf({ _id, state, changedBy }: Fault, viewers: readonly FaultViewer[]): string | null {
  const viewer = viewers.find(({ faultId, isSelf }) => faultId === _id && !isSelf);
  return viewer?.username ?? (state === 'in-progress' && changedBy !== 'operator' ? changedBy : null);
}

type Matching = (filter: FaultFilter) => Fault[];

function answerReads(
  answers: Answers,
  { stored, solved }: Pick<FaultServer, 'stored' | 'solved'>,
  matching: Matching,
): void {
  answers
    .on(listFaults, ({ query: { limit, offset, filter } }) => {
      const found = matching(filter);
      return { success: true as const, count: found.length, data: found.slice(offset, offset + limit) };
    })
    .on(listCauses, ({ query: { limit, offset, filter } }) => {
      const found = causesOf(matching(filter));
      return { success: true as const, count: found.length, data: found.slice(offset, offset + limit) };
    })
    .on(getFault, ({ params: { id } }) => {
      const fault = stored.get(id) ?? buildFault(0);
      const run = { _id: fault.lastExecutionId, startedAt: fault.lastStartedAt, result: 'Failed' as const };
      const lastRuns = [{ ...run, state: 'pending' as const, message: fault.message, anomalies: [] }];
      const note = { _id: NOTE_ID, by: 'ben', at: fault.lastStartedAt, isOwn: false };
      const notes = fault.note === null ? [] : [{ ...note, content: fault.note }];
      return { success: true as const, data: { ...fault, lastRuns, notes, solved: solved.get(id) ?? null } };
    });
}

function answerEdits(
  answers: Answers,
  { stored, viewers }: Pick<FaultServer, 'stored' | 'viewers'>,
  matching: Matching,
): void {
  const change = (fault: Fault, state: Fault['state']) =>
    stored.set(fault._id, { ...fault, state, changedBy: 'operator' });
  answers.on(editFaults, ({ body: { ids, of, change: made } }) => {
    const { state, note } = made;
    const chosen =
      of === undefined
        ? (ids ?? []).flatMap((id) => stored.get(id) ?? [])
        : matching({ ...of.filter, cause: of.cause });
    const otherOf = (fault: Fault) => (of?.withoutOthers ? otherUserOf(fault, viewers) : null);
    const found = chosen.filter((fault) => otherOf(fault) === null);
    const names = Map.groupBy(
      chosen.flatMap((fault) => otherOf(fault) ?? []),
      (name) => name,
    );
    const changing = found.filter((fault) => state === undefined || fault.state !== state);
    for (const fault of changing) change({ ...fault, note: note?.content ?? fault.note }, state ?? fault.state);
    return {
      success: true as const,
      changed: changing.length,
      unchanged: found.length - changing.length,
      unchangedIds: found.filter((fault) => !changing.includes(fault)).map(({ _id }) => _id),
      ofOthers: [...names].map(([username, { length }]) => ({ username, faults: length })),
      notFound: (ids ?? []).filter((id) => !stored.has(id)),
      madeAt: MADE_AT,
      before:
        state === undefined || changing.length === 0
          ? []
          : [{ ids: changing.map((fault) => fault.lastExecutionId), spans: [], ...PENDING }],
      noteId: note === undefined ? null : NOTE_ID,
      notedIds: note === undefined ? [] : changing.map((fault) => fault.lastExecutionId),
    };
  });
}

function causesOf(faults: readonly Fault[]): Cause[] {
  const groups = Map.groupBy(faults, ({ cause }) => cause.key);
  return [...groups].map(([key, of]) => {
    const [fault = buildFault(0)] = of;
    return {
      key,
      why: fault.cause.why,
      subject: fault.cause.subject,
      kind: fault.kind,
      faults: of.length,
      healed: 0,
      inProgress: of.filter(({ state }) => state === 'in-progress').length,
      jobs: of.length,
      companies: 1,
      runs: of.length * 3,
      openedAt: fault.openedAt,
      lastStartedAt: fault.lastStartedAt,
      daysWithoutFine: fault.daysWithoutFine,
      fault,
    };
  });
}

export function viewing(faultId: string, username: string): FaultViewer {
  return { faultId, username, isSelf: false, since: '2026-03-15T11:59:00.000Z' };
}
