import type { Page } from '@playwright/test';

/** What the piece of work takes where a machine of today does nothing else. */
const WORK_MS = 5;

/**
 * How many times longer work takes in the page just now than on a machine of today, and never less than 1. A time that a person would wait there is
 * measured here as that many times the time.
 */
export async function slownessOf(page: Page): Promise<number> {
  const medianMs = await page.evaluate(() => {
    const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `job ${id}`, result: 'Failed' }));
    const work = () => {
      const begun = performance.now();
      for (let round = 0; round < 50; round += 1) JSON.parse(JSON.stringify(rows));
      return performance.now() - begun;
    };
    const times = Array.from({ length: 15 }, work).toSorted((one, other) => one - other);
    return times[7] ?? 0;
  });
  return Math.max(1, medianMs / WORK_MS);
}
