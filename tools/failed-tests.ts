import { relative } from 'node:path';
import { z } from 'zod';
import { ROOT } from './source-files.ts';

const vitest = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

const spec = z.object({ file: z.string(), title: z.string(), ok: z.boolean() });

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

/**
 * The failed tests of a report of Vitest or Playwright, as `file › test`, so that the end of a long run names them. A file that
 * could not be loaded has no tests and is named alone.
 */
export function failedTests(report: unknown): string[] {
  const files = vitest.safeParse(report).data?.testResults ?? [];
  const specs = playwright.safeParse(report).data?.suites.flatMap(specsOf) ?? [];
  return [
    ...files.flatMap(({ name, status, assertionResults }) => {
      const path = relative(ROOT, name);
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0) return status === 'failed' ? [path] : [];
      return failed.map((test) => `${path} › ${test.fullName}`);
    }),
    ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `apps/e2e/journeys/${file} › ${title}`),
  ];
}

function specsOf({ specs, suites = [] }: Suite): z.infer<typeof spec>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}
