import type { Anomaly, Result } from '@keepwatch/contract/runs/values';
import type { LogLine } from './log-line.ts';

/** Signs in the run itself, found without comparing it with other runs. */
export type RunSign = Extract<Anomaly, 'no-restore-point' | 'contradiction'>;

/** Phrases that mention trouble only to deny it: `0 errors`, `without an error`, `failed: 0`. */
const DENIALS =
  /\b(?:no|without(?: an| any)?|zero|0)\s+(?:errors?|failures?|failed|warnings?)\b|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b/gi;

/** Phrases with which the products say that a run they call a success did not do its work. */
const TROUBLE = [
  /\b(?:failed|failure|errors?|fatal|aborted|cannot|could not|unable to)\b/i,
  /\bnothing to process\b/i,
  /\b(?:was|were) not found\b/i,
  /\bleft out\b/i,
  /\b0 of [1-9]\d* \w+ (?:processed|backed up|protected)\b/i,
];

const NO_RESTORE_POINT = /\bno (?:new )?restore points?\b(?! (?:was|were) (?:removed|deleted))/i;

/** Finds what contradicts a success. Other results are skipped: they need a person anyway. */
export function signsOf(run: {
  result: Result;
  message: string | null;
  log: readonly LogLine[];
  restorePointCreated?: boolean | null | undefined;
}): RunSign[] {
  if (run.result !== 'Success') return [];
  const signs: RunSign[] = [];
  if (run.restorePointCreated === false || NO_RESTORE_POINT.test(run.message ?? '')) signs.push('no-restore-point');
  if (run.log.some((line) => line.level === 'error') || namesTrouble(run.message)) signs.push('contradiction');
  return signs;
}

function namesTrouble(message: string | null): boolean {
  if (message === null) return false;
  const claims = message.replace(DENIALS, '');
  return TROUBLE.some((phrase) => phrase.test(claims));
}
