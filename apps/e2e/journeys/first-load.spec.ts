import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { demonstration, signIn } from '../portal/person.ts';

const KB = 1_000;

/** Gzipped bytes of all JavaScript that the page has loaded so far, however it travelled. */
function countScripts(page: Page): () => Promise<number> {
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  return async () => (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Watches from the first moment what makes a page feel rough. */
async function watch(page: Page): Promise<() => Promise<{ layoutShift: number; longestTaskMs: number }>> {
  await page.addInitScript(() => {
    const seen = { layoutShift: 0, longestTaskMs: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, entry.duration);
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) seen.layoutShift += Number(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(() => (window as unknown as { seen: { layoutShift: number; longestTaskMs: number } }).seen);
}

test('sign-in loads at most 150 kB of JavaScript and is usable within a second', async ({ page }) => {
  const scripts = countScripts(page);
  const roughness = await watch(page);
  await page.goto(`${demonstration()}/login`);
  await page.goto('about:blank');
  const begun = Date.now();
  await page.goto(`${demonstration()}/login`, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'User name' }).fill('operator');
  const usableMs = Date.now() - begun;
  const bytes = (await scripts()) / 2;
  const { layoutShift, longestTaskMs } = await roughness();
  console.log(
    `sign-in: ${(bytes / KB).toFixed(1)} kB of JavaScript gzipped, usable after ${usableMs} ms, layout shift ${layoutShift}, longest task ${longestTaskMs} ms`,
  );
  expect(bytes).toBeLessThanOrEqual(150 * KB);
  expect(usableMs).toBeLessThan(1_000);
  expect(layoutShift).toBeLessThan(0.01);
  expect(longestTaskMs).toBeLessThanOrEqual(100);
});

test('the dashboard with its charts loads at most 230 kB of JavaScript, without a shift of its layout', async ({
  page,
}) => {
  await signIn(page, 'operator');
  const scripts = countScripts(page);
  const roughness = await watch(page);
  await page.goto('about:blank');
  const begun = Date.now();
  await page.goto(`${demonstration()}/monitoring/dashboard`, { waitUntil: 'commit' });
  await expect(page.getByText('Most failures')).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const usableMs = Date.now() - begun;
  const bytes = await scripts();
  const { layoutShift, longestTaskMs } = await roughness();
  console.log(
    `dashboard: ${(bytes / KB).toFixed(1)} kB of JavaScript gzipped, all figures after ${usableMs} ms, layout shift ${layoutShift}, longest task ${longestTaskMs} ms`,
  );
  expect(bytes).toBeLessThanOrEqual(230 * KB);
  expect(usableMs).toBeLessThan(1_000);
  expect(layoutShift).toBeLessThan(0.01);
  expect(longestTaskMs).toBeLessThanOrEqual(100);
});
