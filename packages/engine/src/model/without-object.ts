import type { Findings } from './outcome.ts';

/** How findings may name an object: by its name, its address or its id. */
export type ObjectNames = readonly string[];

/** The findings of a run without those that name an object; the same value where none does. */
export function withoutObject(findings: Findings, names: ObjectNames): Findings {
  const patterns = names.filter((name) => name.trim() !== '').map(pattern);
  const isOf = (text: string | null) => text !== null && names.includes(text);
  const mentions = (text: string) => patterns.some((one) => one.test(text));
  const rest: Findings = {
    ...findings,
    failures: findings.failures.filter(({ objectName, message }) => !isOf(objectName) && !mentions(message)),
    lost: findings.lost.filter(({ objectName }) => !isOf(objectName)),
    skipped: findings.skipped.filter(({ objectName }) => !isOf(objectName)),
    alerts: findings.alerts.filter(({ message }) => !mentions(message)),
  };
  const count = (all: Findings) => all.failures.length + all.lost.length + all.skipped.length + all.alerts.length;
  return count(rest) === count(findings) ? findings : rest;
}

/** The name as whole words: an `Ada` is not in `Canada`. */
function pattern(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u');
}
