import { expect, type Page, test } from '@playwright/test';
import { HUGE_ACCOUNT } from '../portal/huge-portal.ts';
import { huge, open, signIn } from '../portal/person.ts';

interface Frames {
  medianMs: number;
  /** Share of frames that came later than two would have. */
  lateShare: number;
}

/** Turns the wheel for some seconds and measures the time between frames. */
async function scroll(page: Page, rounds: number): Promise<Frames> {
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(window, { frames });
    let last = performance.now();
    const note = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  for (let round = 0; round < rounds; round += 1) await page.mouse.wheel(0, 600);
  const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames.slice(5));
  const sorted = frames.toSorted((a, b) => a - b);
  return {
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    lateShare: frames.filter((ms) => ms > 34).length / frames.length,
  };
}

test.beforeEach(({ page }) => signIn(page, HUGE_ACCOUNT.username, HUGE_ACCOUNT.password, huge()));

test('the daily checks scroll over 10,000 rows at 60 frames a second', async ({ page }) => {
  await open(page, '/monitoring/daily-checks?state=all', huge());
  await expect(page.getByText(/^1[\d,]{4,} runs$/)).toBeVisible();
  await page.getByRole('grid', { name: 'Job executions' }).hover();
  const { medianMs, lateShare } = await scroll(page, 150);
  console.log(
    `daily checks, 10,000 rows: a frame every ${medianMs.toFixed(1)} ms, ${(lateShare * 100).toFixed(1)} % late`,
  );
  expect(medianMs).toBeLessThan(18);
  expect(lateShare).toBeLessThan(0.1);
});

test('the calendar scrolls over 5,000 jobs at 60 frames a second', async ({ page }) => {
  await open(page, '/monitoring/calendar-report', huge());
  await expect(page.getByText(/5,000 jobs/)).toBeVisible();
  await page.getByRole('grid').first().hover();
  const { medianMs, lateShare } = await scroll(page, 150);
  console.log(`calendar, 5,000 jobs: a frame every ${medianMs.toFixed(1)} ms, ${(lateShare * 100).toFixed(1)} % late`);
  expect(medianMs).toBeLessThan(18);
  expect(lateShare).toBeLessThan(0.1);
});
