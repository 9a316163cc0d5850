/** What became of a fault in a morning. `gone`: others settled it, or it no longer exists. */
export const DEEDS = ['resolved', 'ignored', 'in-progress', 'noted', 'skipped', 'gone'] as const;
export type Deed = (typeof DEEDS)[number];

/** One decision: for one fault, or for all of its cause. */
interface Step {
  ids: readonly string[];
  deed: Deed;
  tookMs: number;
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

/** What was decided for each fault. */
export function deedsOf({ steps }: Session): ReadonlyMap<string, Deed> {
  return new Map(steps.flatMap(({ ids, deed }) => ids.map((id) => [id, deed] as const)));
}

/** Records a decision; what was decided for the same faults before no longer counts. */
export function decide(session: Session, deed: Deed, ids: readonly string[], nowMs: number): Session {
  const step = { ids, deed, tookMs: nowMs - session.shownAtMs };
  return { ...withoutDeeds(session, ids), steps: [...withoutDeeds(session, ids).steps, step] };
}

/** These faults are to be decided again. */
export function withoutDeeds(session: Session, ids: readonly string[]): Session {
  const gone = new Set(ids);
  const steps = session.steps.map((step) => ({ ...step, ids: step.ids.filter((id) => !gone.has(id)) }));
  return { ...session, steps: steps.filter((step) => step.ids.length > 0) };
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
