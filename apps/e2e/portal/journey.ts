import { test as base, type Page, type TestInfo } from '@playwright/test';
import { enterAs } from './person.ts';

interface Pages {
  /**
   * The page of a user, for a journey that only looks at a screen. It stays open for those that follow: a browser that has the program
   * already shows a screen in a third of the time. What it has stored is forgotten in between.
   */
  pageOf: (username: string) => Promise<Page>;
}

/** So many lines of what a page showed are in the report. */
const LINES_MAX = 80;

/**
 * A journey. Of one that fails the report has, beside its error, what the page asked for without an answer, what its console said and what
 * it showed: a picture of a page that stays empty explains nothing, and of a run elsewhere there is no more than its output.
 */
export const test = base.extend<Pages, { openPages: Map<string, Page> }>({
  page: async ({ page }, use, testInfo) => {
    const record = recordOf(page);
    await use(page);
    if (hasFailed(testInfo)) await explain(testInfo, page, record());
  },
  pageOf: async ({ browser, openPages, viewport, contextOptions }, use, testInfo) => {
    const used = new Map<Page, () => string[]>();
    await use(async (username) => {
      const page = openPages.get(username) ?? (await browser.newPage({ viewport, ...contextOptions }));
      if (!openPages.has(username)) await enterAs(page, username);
      openPages.set(username, page);
      used.set(page, recordOf(page));
      return page;
    });
    for (const [page, record] of used) {
      page.removeAllListeners();
      if (hasFailed(testInfo)) await explain(testInfo, page, record());
      else await page.evaluate(() => localStorage.clear());
    }
  },
  openPages: [
    async ({ browserName: _ }, use) => {
      const pages = new Map<string, Page>();
      await use(pages);
      for (const page of pages.values()) await page.context().close();
    },
    { scope: 'worker' },
  ],
});

const hasFailed = ({ status, expectedStatus }: TestInfo) => status !== expectedStatus;

/** As one more error of the journey: the report ends with these. */
async function explain({ errors }: TestInfo, page: Page, record: readonly string[]): Promise<void> {
  const shown = await page
    .locator('main')
    .or(page.locator('body:not(:has(main))'))
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: unknown) => String(error));
  const lines = shown.split('\n');
  const more = lines.length > LINES_MAX ? [`… and ${lines.length - LINES_MAX} lines more`] : [];
  errors.push({ message: ['The page showed:', ...lines.slice(0, LINES_MAX), ...more, ...record].join('\n  ') });
}

export { expect } from '@playwright/test';

/** Watches a page; gives what has happened on it so far, as lines. */
function recordOf(page: Page): () => string[] {
  const unanswered = new Map<object, string>();
  const lines: string[] = [];
  page.on('request', (request) => unanswered.set(request, `${request.method()} ${request.url()}`));
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => {
    unanswered.delete(request);
    lines.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ''}`);
  });
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`error: ${error.message}`));
  return () => [...[...unanswered.values()].map((address) => `no answer: ${address}`), ...lines];
}
