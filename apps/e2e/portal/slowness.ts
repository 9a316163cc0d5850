import type { Page } from '@playwright/test';

/** What the piece of work takes where a machine of today does nothing else. */
const WORK_MS = 5;
/** So many of it take as long as a load does: a machine that is shared stops for some time, again and again, and a short work may fall in between. */
const WORKS = 100;

/**
 * How many times longer work takes in the page just now than on a machine of today, and never less than 1. A time that a person would wait there is
 * measured here as that many times the time.
 */
export async function slownessOf(page: Page): Promise<number> {
  const meanMs = await page.evaluate((works) => {
    const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `job ${id}`, result: 'Failed' }));
    const begun = performance.now();
    for (let round = 0; round < 50 * works; round += 1) JSON.parse(JSON.stringify(rows));
    return (performance.now() - begun) / works;
  }, WORKS);
  return Math.max(1, meanMs / WORK_MS);
}
