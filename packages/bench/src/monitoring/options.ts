import { parseArgs } from 'node:util';

/** What is measured; `--only` names one of them. */
const PARTS = ['calls', 'intake', 'single'] as const;
type Part = (typeof PARTS)[number];

export interface MonitoringOptions {
  /** Days of data at each step, ascending: one execution a job and day. */
  days: readonly number[];
  parts: readonly Part[];
}

/** Options that cannot be understood; the message says which, and what is accepted. */
export class OptionsError extends Error {}

/** Two years: more rows than any disk of a developer's machine can store. */
const DAYS_MAX = 730;

/**
 * `--days 10,100` (the default; 3 with `--only intake`, for quick checks) and `--only calls`, `--only intake` or
 * `--only single`, which builds no days.
 * @throws OptionsError
 */
export function readOptions(given: readonly string[]): MonitoringOptions {
  const { days, only } = valuesOf(given);
  if (only !== undefined && !isPart(only))
    throw new OptionsError(`--only ${only}: there are ${PARTS.slice(0, -1).join(', ')} and ${PARTS.at(-1)}.`);
  return { days: daysOf(days ?? (only === 'intake' ? '3' : '10,100')), parts: only === undefined ? PARTS : [only] };
}

function valuesOf(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: { days: { type: 'string' }, only: { type: 'string' } } }).values;
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error));
  }
}

function isPart(text: string): text is Part {
  return PARTS.some((part) => part === text);
}

function daysOf(text: string): number[] {
  const days = text.split(',').map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
  const isAscending = days.every((count, at) => count > (days[at - 1] ?? 0) && count <= DAYS_MAX);
  if (isAscending) return days;
  throw new OptionsError(`--days ${text}: whole numbers from 1 to ${DAYS_MAX}, ascending, such as 10,100.`);
}
