import { test as base, type Page, type TestInfo } from '@playwright/test';
import { enterAs } from './person.ts';

interface Pages {
  /**
   * The page of a user, for a journey that only looks at a screen. It stays open for those that follow: a browser that has the program
   * already shows a screen in a third of the time. What it has stored is forgotten in between.
   */
  pageOf: (username: string) => Promise<Page>;
}

/**
 * A journey. Of one that fails the report has what the page asked for without an answer and what its console said: a picture of a page
 * that stays empty explains nothing.
 */
export const test = base.extend<Pages, { openPages: Map<string, Page> }>({
  page: async ({ page }, use, testInfo) => {
    const record = recordOf(page);
    await use(page);
    if (hasFailed(testInfo)) print(testInfo, record);
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
      if (hasFailed(testInfo)) print(testInfo, record);
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

function print({ title }: TestInfo, record: () => string[]): void {
  process.stdout.write(`${[title, ...record()].join('\n  ')}\n`);
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
