import { spawn } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slowestFiles } from './slowest-files.ts';
import { ROOT } from './source-files.ts';
import { filesOf, type ReportedFile } from './test-report.ts';

/** How a step of `npm test` or `npm run check` ended. */
export interface StepResult {
  passed: number;
  failed: number;
  skipped: number;
  /** Its test files. */
  files: readonly ReportedFile[];
  /** What failed, by name. */
  failures: readonly string[];
}

/** Runs a program with its output shown; gives its exit code. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: join(ROOT, options.cwd ?? '.'),
      env: { ...process.env, ...options.env },
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Says what begins, and how long it took: by that it is seen which step makes the whole long. */
async function timed<T>(title: string, work: () => Promise<T>): Promise<T> {
  process.stdout.write(`\n> ${title}\n`);
  const begun = performance.now();
  const result = await work();
  process.stdout.write(`  ${title}: ${Math.round((performance.now() - begun) / 1_000)} s\n`);
  return result;
}

/** A step that passes or fails as a whole. */
export async function step(title: string, command: string, args: readonly string[]): Promise<StepResult> {
  const code = await timed(title, () => run(command, args));
  if (code === 0) return { passed: 1, failed: 0, skipped: 0, files: [], failures: [] };
  return { passed: 0, failed: 1, skipped: 0, files: [], failures: [title] };
}

/** A run of Vitest or Playwright. Its own report is counted; a run that ends badly without saying so counts as one failure. */
export async function testStep(
  title: string,
  kind: 'vitest' | 'playwright',
  args: readonly string[],
  cwd = '.',
  env: Record<string, string> = {},
): Promise<StepResult> {
  const report = join(await mkdtemp(join(tmpdir(), 'keepwatch-report-')), 'report.json');
  const code = await timed(title, () =>
    kind === 'vitest'
      ? run('npx', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args], {
          cwd,
        })
      : run('npx', ['playwright', 'test', ...args], { cwd, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } }),
  );
  const counted = await readReport(report);
  const counts = kind === 'vitest' ? vitestResult(counted) : playwrightResult(counted);
  const files = filesOf(counted);
  const result = { ...counts, files, failures: files.flatMap(({ failures }) => failures) };
  for (const name of files.flatMap(({ skipped }) => skipped)) process.stdout.write(`skipped: ${name}\n`);
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1, failures: [title, ...result.failures] } : result;
}

async function readReport(path: string): Promise<Record<string, unknown>> {
  return readFile(path, 'utf8').then(
    (text): Record<string, unknown> => JSON.parse(text),
    () => ({}),
  );
}

type Counts = Omit<StepResult, 'files' | 'failures'>;

function vitestResult(report: Record<string, unknown>): Counts {
  return {
    passed: count(report['numPassedTests']),
    failed: count(report['numFailedTests']),
    skipped: count(report['numPendingTests']) + count(report['numTodoTests']),
  };
}

function playwrightResult(report: Record<string, unknown>): Counts {
  const stats = (report['stats'] ?? {}) as Record<string, unknown>;
  return {
    passed: count(stats['expected']) + count(stats['flaky']),
    failed: count(stats['unexpected']),
    skipped: count(stats['skipped']),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Prints which files took longest, what failed and the closing line, and ends the process by it. */
export function close(results: readonly StepResult[]): never {
  const sum = (key: keyof Counts) => results.reduce((total, result) => total + result[key], 0);
  for (const line of slowestFiles(results.flatMap(({ files }) => files))) process.stdout.write(`${line}\n`);
  if (sum('skipped') > 0) process.stdout.write(`\n${sum('skipped')} skipped; each says above why\n`);
  const failures = results.flatMap((result) => result.failures);
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join('')}`);
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
}
