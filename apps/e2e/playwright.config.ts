import { defineConfig } from '@playwright/test';
import { findChromium } from './portal/chromium.ts';

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './portal/global-setup.ts',
  globalTimeout: 30 * 60_000,
  // Far longer than a journey needs alone: a busy machine may be slow, but a journey that hangs must fail.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  projects: [
    // Without a trace: recording one takes a third of the time that is measured here.
    { name: 'timed', testMatch: /(first-load|scrolling)\.spec\.ts/, use: { trace: 'off' } },
    { name: 'journeys', testIgnore: /(first-load|scrolling)\.spec\.ts/ },
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
    trace: 'retain-on-failure',
  },
});
