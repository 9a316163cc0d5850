import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { ROOT } from './source-files.ts';

/** A test file of a report. */
export interface ReportedFile {
  path: string;
  /** How long its tests took. */
  seconds: number;
  /** What failed, as `file › test: first line of the error`: the summary may be all that is left of a long output. */
  failures: string[];
  /** Names of skipped tests of Vitest, whose own output does not list them. Each has its reason in its name. */
  skipped: string[];
}

const vitest = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

const spec = z.object({
  file: z.string(),
  title: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(
        z.object({ duration: z.number(), error: z.object({ message: z.string().default('') }).optional() }),
      ),
    }),
  ),
});

type Spec = z.infer<typeof spec>;

interface Suite {
  specs: Spec[];
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
export function filesOf(report: unknown): ReportedFile[] {
  const files = vitest.safeParse(report).data?.testResults ?? [];
  const specs = playwright.safeParse(report).data?.suites.flatMap(specsOf) ?? [];
  return [
    ...files.map(ofVitest),
    ...[...Map.groupBy(specs, ({ file }) => file)].map(([file, ofFile]) => ofPlaywright(file, ofFile)),
  ];
}

const SKIPPED: ReadonlySet<string> = new Set(['skipped', 'pending', 'todo']);

/** A file that could not be loaded has no tests and is named alone. */
function ofVitest({
  name,
  status,
  startTime,
  endTime,
  message,
  assertionResults,
}: z.infer<typeof vitest>['testResults'][number]) {
  const path = relative(ROOT, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const failures = failed.map(({ fullName, failureMessages }) => failure(`${path} › ${fullName}`, failureMessages[0]));
  if (failures.length === 0 && status === 'failed') failures.push(failure(path, message));
  const skipped = assertionResults.filter((test) => SKIPPED.has(test.status)).map(({ fullName }) => fullName);
  return { path, seconds: (endTime - startTime) / 1_000, failures, skipped };
}

function ofPlaywright(file: string, specs: readonly Spec[]): ReportedFile {
  const path = `apps/e2e/journeys/${file}`;
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  return {
    path,
    seconds: results.reduce((sum, { duration }) => sum + duration / 1_000, 0),
    failures: specs.filter(({ ok }) => !ok).map((failed) => failure(`${path} › ${failed.title}`, errorOf(failed))),
    skipped: [],
  };
}

function errorOf({ tests }: Spec): string | undefined {
  const errors = tests.flatMap(({ results }) => results.map(({ error }) => error?.message));
  return errors.findLast((message) => message !== undefined);
}

function failure(name: string, error = ''): string {
  const [line = ''] = stripVTControlCharacters(error).split('\n');
  return line === '' ? name : `${name}: ${line}`;
}

function specsOf({ specs, suites = [] }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}
