import type { ReportedFile } from './test-report.ts';

const SHOWN = 20;
/** A run of quick files alone has none worth a look. */
const SECONDS_MIN = 5;

/** Those that take longest, as lines with a heading: by them one sees what makes the whole run longer than it was. */
export function slowestFiles(files: readonly Pick<ReportedFile, 'path' | 'seconds'>[]): string[] {
  const slowest = files
    .filter(({ seconds }) => seconds >= SECONDS_MIN)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SHOWN);
  if (slowest.length === 0) return [];
  return [
    '\nThe slowest test files, in seconds:',
    ...slowest.map(({ path, seconds }) => `${Math.round(seconds).toString().padStart(5)}  ${path}`),
  ];
}
