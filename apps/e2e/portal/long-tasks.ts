import type { Page } from '@playwright/test';

/** The longest task of the page from now on, as the browser reports it. */
export async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { longestTaskMs: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
    }).observe({ type: 'longtask' });
  });
  // Two frames later everything that was painted has been reported.
  return () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      return (window as unknown as { seen: { longestTaskMs: number } }).seen.longestTaskMs;
    });
}
