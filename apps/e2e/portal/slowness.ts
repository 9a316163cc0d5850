import type { BrowserContext } from '@playwright/test';
import { serveBarePage } from './bare-page.ts';

/** What the bare page takes on a machine of today that has nothing else to do. */
const BARE_MS = 700;

let address: Promise<string> | undefined;
/** Who have loaded the bare page before: the first time it is read over the network and compiled. */
const knowing = new WeakSet<BrowserContext>();

/** How long the bare page takes just now, in milliseconds. */
export async function bareLoadMs(context: BrowserContext): Promise<number> {
  if (!knowing.has(context)) {
    knowing.add(context);
    await bareLoadMs(context);
  }
  address ??= serveBarePage();
  const page = await context.newPage();
  await page.goto(await address, { waitUntil: 'commit' });
  // Asked more often, it would be busy with that.
  await page.waitForFunction(() => 'drawnMs' in window, null, { polling: 200 });
  const drawnMs = await page.evaluate(() => (window as unknown as { drawnMs: number }).drawnMs);
  await page.close();
  return drawnMs;
}

/**
 * How many times slower a machine is than one of today that has nothing else to do, and never less than 1, by what it took for the bare page. What else
 * it does can only add to a time: the least of several is compared with the least of as many of what is measured beside.
 */
export function slownessBy(bareMs: readonly number[]): number {
  return Math.max(1, Math.min(...bareMs) / BARE_MS);
}
