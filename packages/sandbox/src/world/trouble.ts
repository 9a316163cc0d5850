import type { Character, Job } from './job.ts';
import { unit, whole } from './random.ts';
import { isFull } from './repositories.ts';
import { dayMs, slotNumber } from './schedule.ts';

/** What becomes of one run. */
export interface Condition {
  /** True: the run was due and did not happen. */
  isMissed: boolean;
  result: 'Success' | 'Warning' | 'Failed';
  /** Tries that fail before the last one. */
  failuresBefore: number;
  /** Which text of the list; the same for all runs of one trouble. */
  textNumber: number;
  cause: 'own' | 'repository-full' | 'contradiction';
  durationFactor: number;
  transferFactor: number;
  sizeFactor: number;
}

const fine: Condition = {
  isMissed: false,
  result: 'Success',
  failuresBefore: 0,
  textNumber: 0,
  cause: 'own',
  durationFactor: 1,
  transferFactor: 1,
  sizeFactor: 1,
};

const missed: Condition = { ...fine, isMissed: true };

/** How many of a thousand jobs have each character; the rest is steady. */
const charactersPerThousand: readonly (readonly [Character, number])[] = [
  ['flaky', 40],
  ['chronic', 28],
  ['nagging', 26],
  ['absent', 22],
  ['slowing', 16],
  ['growing', 16],
  ['dropping', 12],
  ['contradicting', 14],
  ['disabled', 45],
  ['never-ran', 9],
];

/** The character of a job by a number in [0, 1). */
export function characterOf(share: number): Character {
  let rest = share * 1000;
  for (const [character, perThousand] of charactersPerThousand) {
    rest -= perThousand;
    if (rest < 0) return character;
  }
  return 'steady';
}

/**
 * The position of a job in its own cycle of 40 to 90 days, in [0, 1). Troubles come and go with it, so that there is
 * about the same amount of them at every instant, for ever.
 */
export function cyclePosition(job: Job, atMs: number): number {
  const cycleDays = whole(40, 90, job.id, 40);
  const day = atMs / dayMs + whole(0, 1000, job.id, 41);
  return (day % cycleDays) / cycleDays;
}

/** Whether a job's schedule is switched on at an instant. */
export function isEnabled(job: Job, atMs: number): boolean {
  return job.character !== 'disabled' || cyclePosition(job, atMs) < 0.35;
}

/** What becomes of the run of a job that was due at `slot`. A pure function of the two. */
export function conditionAt(job: Job, slot: number): Condition {
  if (job.character === 'never-ran' || slot < job.createdMs || !isEnabled(job, slot)) return missed;
  if (wasServerDown(job, slot) || wasSwitchedOff(job, slot)) return missed;
  if (job.repository && isFull(job.repository, slot) && unit(job.id, slot / 60_000, 42) < 0.7) {
    return { ...fine, result: 'Failed', failuresBefore: job.retriesMax, cause: 'repository-full' };
  }
  const special = specialCondition(job, slot);
  return special ?? everydayCondition(job, slot);
}

function specialCondition(job: Job, slot: number): Condition | undefined {
  const position = cyclePosition(job, slot);
  const textNumber = whole(0, 99, job.id, Math.floor(slot / dayMs / 60), 43);
  switch (job.character) {
    case 'chronic':
      return position < 0.4 ? { ...fine, result: 'Failed', failuresBefore: job.retriesMax, textNumber } : undefined;
    case 'nagging':
      return position < 0.5 ? { ...fine, result: 'Warning', textNumber } : undefined;
    case 'absent':
      return position > 0.7 ? missed : undefined;
    case 'slowing':
      return { ...fine, durationFactor: 1 + 2.4 * position };
    case 'growing':
      return { ...fine, transferFactor: 1 + 3 * position, sizeFactor: 1 + 2 * position, durationFactor: 1 + position };
    case 'dropping':
      return position > 0.6 ? { ...fine, transferFactor: 0.015, sizeFactor: 0.35, durationFactor: 0.5 } : undefined;
    case 'contradicting':
      return unit(job.id, slotNumber(job.schedule, slot), 44) < 0.5
        ? { ...fine, cause: 'contradiction', textNumber, transferFactor: 0 }
        : undefined;
    default:
      return undefined;
  }
}

/** Now and then something goes wrong for one to three runs; a flaky job gets over it by retrying, mostly. */
function everydayCondition(job: Job, slot: number): Condition {
  const number = slotNumber(job.schedule, slot);
  const incident = incidentAt(job, number);
  if (incident) return incident;
  const stumbles = job.character === 'flaky' ? 0.22 : 0.012;
  if (unit(job.id, number, 45) >= stumbles) return fine;
  const textNumber = whole(0, 99, job.id, number, 46);
  if (job.retriesMax > 0) return { ...fine, failuresBefore: whole(1, job.retriesMax, job.id, number, 47), textNumber };
  return unit(job.id, number, 48) < 0.3 ? { ...fine, result: 'Failed', textNumber } : fine;
}

function incidentAt(job: Job, number: number): Condition | undefined {
  const blockRuns = 12;
  const place = number + whole(0, blockRuns - 1, job.id, 49);
  const block = Math.floor(place / blockRuns);
  if (unit(job.id, block, 50) >= 0.215) return undefined;
  const first = whole(0, blockRuns - 3, job.id, block, 51);
  const inBlock = place - block * blockRuns;
  if (inBlock < first || inBlock >= first + whole(1, 3, job.id, block, 52)) return undefined;
  const textNumber = whole(0, 99, job.id, block, 53);
  return unit(job.id, block, 54) < 0.5
    ? { ...fine, result: 'Failed', failuresBefore: job.retriesMax, textNumber }
    : { ...fine, result: 'Warning', textNumber };
}

/** A server that is down takes the runs of all its jobs with it, for a night. */
function wasServerDown(job: Job, slot: number): boolean {
  return unit(job.server.id, Math.floor(slot / dayMs), 55) < 0.0012;
}

/** A workstation is sometimes at home or off when its backup is due. */
function wasSwitchedOff(job: Job, slot: number): boolean {
  const share = job.product === 'agent' && job.agent.mode === 'Workstation' ? 0.012 : 0.0008;
  return unit(job.id, slotNumber(job.schedule, slot), 56) < share;
}
