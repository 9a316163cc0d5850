import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Run by npx, not installed with the project: with what it needs it is larger than all other tools together, and only a soak runs it. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
export const CATEGORIES = ['accessibility', 'best-practices'] as const;
export type Device = 'desktop' | 'mobile';

const run = promisify(execFile);
interface Report {
  finalDisplayedUrl: string;
  categories: Record<(typeof CATEGORIES)[number], { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null }>;
}

/** What Lighthouse says of a page. */
export interface Scores {
  /** Where the visit ended. */
  url: string;
  accessibility: number;
  'best-practices': number;
  /** What lowers a score. */
  lacking: readonly string[];
}

/** @param port at which the browser answers debuggers @param file where the report is stored */
export async function scoresOf(
  url: string,
  { port, device, file }: { port: number; device: Device; file: string },
): Promise<Scores> {
  await run('npx', [
    ...['--yes', LIGHTHOUSE, url, `--port=${port}`, `--only-categories=${CATEGORIES.join(',')}`],
    ...['--output=json', `--output-path=${file}`, '--quiet', '--no-enable-error-reporting'],
    // The session that some of the pages need is stored before; how fast a page is it does not measure.
    ...['--disable-storage-reset', '--throttling-method=provided'],
    ...(device === 'desktop' ? ['--preset=desktop'] : []),
  ]);
  const { finalDisplayedUrl, categories, audits }: Report = JSON.parse(await readFile(file, 'utf8'));
  const lacking = CATEGORIES.flatMap((name) => categories[name].auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title ?? ''}`);
  return {
    url: finalDisplayedUrl,
    accessibility: categories.accessibility.score,
    'best-practices': categories['best-practices'].score,
    lacking,
  };
}
