import { relative } from 'node:path';
import { z } from 'zod';
import { ROOT } from './source-files.ts';

/** A test file, and how long its tests took. */
export interface TimedFile {
  path: string;
  seconds: number;
}

const vitest = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});

const spec = z.object({
  file: z.string(),
  tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
});

interface Suite {
  specs: z.infer<typeof spec>[];
  suites?: Suite[] | undefined;
}

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(spec),
  get suites() {
    return z.optional(z.array(suite));
  },
});

const playwright = z.object({ suites: z.array(suite) });

/** The files of a report of Vitest or Playwright; of a run that broke off there are none. */
export function filesOf(report: unknown): TimedFile[] {
  const ofVitest = vitest.safeParse(report).data?.testResults ?? [];
  const specs = playwright.safeParse(report).data?.suites.flatMap(specsOf) ?? [];
  return [
    ...ofVitest.map(({ name, startTime, endTime }) => ({
      path: relative(ROOT, name),
      seconds: (endTime - startTime) / 1_000,
    })),
    ...[...Map.groupBy(specs, ({ file }) => file)].map(([file, ofFile]) => ({
      path: `apps/e2e/journeys/${file}`,
      seconds: ofFile
        .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
        .reduce((sum, { duration }) => sum + duration / 1_000, 0),
    })),
  ];
}

function specsOf({ specs, suites = [] }: Suite): z.infer<typeof spec>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

const SHOWN = 20;
/** A run of quick files alone has none worth a look. */
const SECONDS_MIN = 5;

/** Those that take longest, as lines with a heading: by them one sees what makes the whole run longer than it was. */
export function slowestFiles(files: readonly TimedFile[]): string[] {
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
