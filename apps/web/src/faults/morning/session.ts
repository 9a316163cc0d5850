import type { Fault } from '@keepwatch/contract/faults/faults';

/** What became of a fault in a morning. `gone`: others settled it, or it no longer exists. */
export const DEEDS = ['resolved', 'ignored', 'in-progress', 'noted', 'skipped', 'gone'] as const;
export type Deed = (typeof DEEDS)[number];

/** A fault as it was when it was decided; no run where it no longer existed. */
export interface Decided {
  _id: string;
  lastExecutionId?: string;
}

/** One decision: for one fault, or for all of its cause. */
interface Step {
  faults: readonly Decided[];
  deed: Deed;
  tookMs: number;
  /** When the server had made it so; `null` until then. */
  answeredAt: number | null;
}

/** The open faults as they were read, and when that was asked for. */
export interface ReadFaults {
  askedAt: number;
  faults: readonly Fault[];
}

/** A morning of one person: what was opened, and what became of it. */
export interface Session {
  startedAtMs: number;
  /** Since when the present fault is shown. */
  shownAtMs: number;
  steps: readonly Step[];
  /** Faults in the order in which they were opened. */
  visited: readonly string[];
  /** The place of the present one among them; `null` at the end. */
  place: number | null;
}

/** Before so many decisions the pace of a person is a guess. */
const PACE_MIN = 3;

export function beginSession(nowMs: number, firstId: string | null): Session {
  const visited = firstId === null ? [] : [firstId];
  return { startedAtMs: nowMs, shownAtMs: nowMs, steps: [], visited, place: firstId === null ? null : 0 };
}

export function currentOf({ visited, place }: Session): string | null {
  return place === null ? null : (visited[place] ?? null);
}

/** What was decided for each fault, whether it came back since or not. */
export function deedsOf({ steps }: Session): ReadonlyMap<string, Deed> {
  return new Map(steps.flatMap(({ faults, deed }) => faults.map(({ _id }) => [_id, deed] as const)));
}

/** What was decided for each fault that has not come back since. */
export function activeDeeds({ steps }: Session, { askedAt, faults }: ReadFaults): ReadonlyMap<string, Deed> {
  const listed = new Map(faults.map((fault) => [fault._id, fault]));
  const isActive = (step: Step, decided: Decided) => {
    const fault = listed.get(decided._id);
    return fault === undefined || applies(step, decided, fault, askedAt);
  };
  return new Map(
    steps.flatMap((step) =>
      step.faults.filter((decided) => isActive(step, decided)).map(({ _id }) => [_id, step.deed] as const),
    ),
  );
}

/** Whether a decision still is one for a fault that is open: its job may have failed again, or another person reopened it. */
function applies({ deed, answeredAt }: Step, { lastExecutionId }: Decided, fault: Fault, askedAt: number): boolean {
  if (deed === 'skipped') return true;
  // The list does not know of the decision yet.
  if (answeredAt === null || askedAt < answeredAt) return true;
  if (deed === 'noted' && fault.lastExecutionId === lastExecutionId) return true;
  return (deed === 'noted' || deed === 'in-progress') && fault.state === 'in-progress';
}

interface Decision {
  deed: Deed;
  faults: readonly Decided[];
  /** For what is so already. */
  answeredAt?: number;
}

/** Records a decision; what was decided for the same faults before no longer counts. */
export function decide(session: Session, { deed, faults, answeredAt }: Decision, nowMs: number): Session {
  const others = withoutDeeds(session, idsOf(faults));
  const step = { faults, deed, tookMs: nowMs - session.shownAtMs, answeredAt: answeredAt ?? null };
  return { ...others, steps: [...others.steps, step] };
}

/** The server has made the decision for these faults. */
export function answered(session: Session, faults: readonly Decided[], answeredAt: number): Session {
  const ids = new Set(idsOf(faults));
  const isOfThese = (step: Step) => step.answeredAt === null && step.faults.some(({ _id }) => ids.has(_id));
  return { ...session, steps: session.steps.map((step) => (isOfThese(step) ? { ...step, answeredAt } : step)) };
}

export function idsOf(faults: readonly Decided[]): string[] {
  return faults.map(({ _id }) => _id);
}

/** These faults are to be decided again. */
export function withoutDeeds(session: Session, ids: readonly string[]): Session {
  const gone = new Set(ids);
  const steps = session.steps.map((step) => ({ ...step, faults: step.faults.filter(({ _id }) => !gone.has(_id)) }));
  return { ...session, steps: steps.filter((step) => step.faults.length > 0) };
}

/** Those that were skipped come again. */
export function withoutSkipped(session: Session): Session {
  return { ...session, steps: session.steps.filter(({ deed }) => deed !== 'skipped') };
}

/** Shows a fault; `null`: the end. */
export function goTo(session: Session, id: string | null, nowMs: number): Session {
  if (id === null) return { ...session, place: null, shownAtMs: nowMs };
  const visited = [...session.visited.filter((other) => other !== id), id];
  return { ...session, visited, place: visited.length - 1, shownAtMs: nowMs };
}

/** Shows the fault before the present one, or from the end the last one. */
export function goBack(session: Session, nowMs: number): Session {
  const place = (session.place ?? session.visited.length) - 1;
  return place < 0 ? session : { ...session, place, shownAtMs: nowMs };
}

/** The fault that was opened after the present one, where the person went back. */
export function laterOf({ visited, place }: Session): string | null {
  return place === null ? null : (visited[place + 1] ?? null);
}

/** Faults by what was decided for them. */
export function countsOf(session: Session): Readonly<Record<Deed, number>> {
  const counts: Record<Deed, number> = { resolved: 0, ignored: 0, 'in-progress': 0, noted: 0, skipped: 0, gone: 0 };
  for (const deed of deedsOf(session).values()) counts[deed] += 1;
  return counts;
}

/** How long the person needs for a fault: the median, so that a telephone call in between says nothing. `null`: too few to say. */
export function paceMs({ steps }: Session): number | null {
  const times = steps.filter(({ deed }) => deed !== 'gone').map(({ tookMs }) => tookMs);
  if (times.length < PACE_MIN) return null;
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)] ?? null;
}

/** `about 9 min`; below a minute `less than a minute`. */
export function estimateText(session: Session, left: number): string | null {
  const pace = paceMs(session);
  if (pace === null || left === 0) return null;
  const minutes = Math.round((pace * left) / 60_000);
  return minutes < 1 ? 'less than a minute' : `about ${minutes} min`;
}
