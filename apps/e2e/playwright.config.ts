import { defineConfig } from '@playwright/test';
import { findChromium } from './portal/chromium.ts';

const TIMED = /(first-load|long-list|scrolling)\.spec\.ts/;
/** What only looks at screens, and is right whatever else happens on the portal meanwhile. */
const VIEWS = /(accessibility|dashboard|media|motion|phone|roles)\.spec\.ts/;
/** Journeys on a portal of their own (portal/microsoft365-portal.ts): they disturb no others. */
const MICROSOFT_365 = /(connect|restore)\.spec\.ts/;
/** Every screen in the five layouts, on that portal, too: it has something to show on each. */
const SCREENS = /screens\.spec\.ts/;
/** Before a release alone: it downloads Lighthouse (portal/lighthouse.ts). */
const LIGHTHOUSE = /lighthouse\.spec\.ts/;

const calm = { contextOptions: { reducedMotion: 'reduce' } } as const;

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './portal/global-setup.ts',
  globalTimeout: 30 * 60_000,
  // Far longer than a journey needs alone: a busy machine may be slow, but a journey that hangs must fail.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // The journeys that change what all users of a portal see run one after the other; beside them run those of the other portal, and the views. A
  // third worker would only make all of them slower: they use both processors.
  workers: 2,
  projects: [
    { name: 'timed', testMatch: TIMED, workers: 1 },
    { name: 'journeys', testIgnore: [TIMED, VIEWS, MICROSOFT_365, SCREENS, LIGHTHOUSE], workers: 1, use: calm },
    { name: 'microsoft365', testMatch: MICROSOFT_365, workers: 1, use: calm },
    { name: 'views', testMatch: VIEWS, fullyParallel: true, use: calm },
    { name: 'screens', testMatch: SCREENS, fullyParallel: true },
    { name: 'lighthouse', testMatch: LIGHTHOUSE, workers: 1 },
  ],
  forbidOnly: process.env['CI'] === 'true',
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? 'test-results/report.json' }],
  ],
  use: {
    launchOptions: await findChromium(),
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording one takes a third of the time; `--trace=retain-on-failure` records those of a journey that fails.
    trace: 'off',
  },
});
