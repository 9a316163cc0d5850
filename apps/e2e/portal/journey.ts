import { test as base, type Page } from '@playwright/test';

/**
 * A journey. Of one that fails the report has what the page asked for without an answer and what its console said: a picture of a page
 * that stays empty explains nothing.
 */
export const test = base.extend({
  page: async ({ page }, use, testInfo) => {
    const record = recordOf(page);
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus)
      process.stdout.write(`${[testInfo.title, ...record()].join('\n  ')}\n`);
  },
});

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
