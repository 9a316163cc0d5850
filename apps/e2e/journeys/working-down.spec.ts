import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { demonstration, enterAs, open, sendCredentials } from '../portal/person.ts';

const LIST = '/monitoring/daily-checks?state=pending&result=Failed&date=Last+7+Days';
const EDITS = '**/jobExecutions/bulk';

// With motion: a message that still moves must not cover anything either.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

async function openList(page: Page): Promise<Locator> {
  await enterAs(page, 'operator');
  await open(page, LIST);
  const list = page.getByRole('grid', { name: 'Job executions' });
  await expect(list.getByRole('checkbox', { name: /\(/ }).nth(8)).toBeVisible();
  return list;
}

/** The names of the first rows' checkboxes. */
const firstRows = (list: Locator) =>
  list
    .locator('[role="row"] input[aria-label*="("]')
    .evaluateAll((boxes) => boxes.slice(0, 6).map((box) => box.ariaLabel));

test('r r r r over a slow line resolves the four runs that were in line, with one request each', async ({ page }) => {
  const list = await openList(page);
  const sent: string[][] = [];
  const { promise: lineIsFree, resolve: freeLine } = Promise.withResolvers<void>();
  await page.route(EDITS, async (route) => {
    sent.push(route.request().postDataJSON().ids);
    await lineIsFree;
    await route.continue();
  });
  const before = await firstRows(list);
  await page.keyboard.press('j');
  await page.keyboard.type('rrrr', { delay: 150 });
  // Before the first answer.
  await expect.poll(() => firstRows(list).then(([first]) => first)).toBe(before[4]);
  await expect.poll(() => sent).toHaveLength(4);
  freeLine();
  await expect(page.getByText('4 runs resolved.')).toBeVisible();
  expect(sent.map((ids) => ids.length)).toEqual([1, 1, 1, 1]);
  expect(new Set(sent.flat()).size).toBe(4);
  for (let time = 0; time < 4; time += 1) await page.keyboard.press('z');
  await expect(page.getByText('Undone. 4 runs are pending again.')).toBeVisible();
  await expect.poll(() => firstRows(list)).toEqual(before);
});

test('offline, the selection stays, the failure is shown, and nothing looks up to date', async ({ page, context }) => {
  const list = await openList(page);
  const before = await firstRows(list);
  await page.keyboard.type('xjxjxjx');
  await context.setOffline(true);
  await expect(page.getByText(/^Offline, showing \d\d:\d\d [AP]M$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Offline', exact: true })).toBeVisible();
  await page.keyboard.press('r');
  const failed = page.getByRole('alert').filter({ hasText: '4 runs were not resolved: no connection.' });
  await expect(failed).toBeVisible();
  await expect(page.getByText('4 selected')).toBeVisible();
  expect(await firstRows(list)).toEqual(before);
  await context.setOffline(false);
  await expect(page.getByText(/^Offline, showing/)).toHaveCount(0);
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('4 runs resolved.')).toBeVisible();
  await page.keyboard.press('z');
  await expect(page.getByText('Undone. 4 runs are pending again.')).toBeVisible();
});

for (const width of [1440, 1024, 390]) {
  test(`a message covers no run and nothing that is worked with, ${width} wide`, async ({ page }) => {
    const list = await openList(page);
    await page.setViewportSize({ width, height: 844 });
    await page.keyboard.type('xr');
    const message = page.getByText('1 run resolved.').locator('..');
    await expect(message).toBeVisible();
    await page.keyboard.type('x');
    const tools = page.getByRole('toolbar', { name: 'Selected runs' });
    await expect(tools).toBeVisible();
    const top = (await message.boundingBox())?.y ?? 0;
    for (const part of [list, tools]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(top);
    }
    await page.keyboard.press('z');
    await expect(page.getByText(/^Undone\. /)).toBeVisible();
  });
}

test('a message covers nothing of the card on which one signs in', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // From the first call on: a page that is loaded again after the message has nothing to say.
  await page.route('**/api/monitoring/**', (route) =>
    route.fulfill({
      status: 401,
      json: { success: false, code: 'SESSION_EXPIRED', message: 'Your session has expired. Please log in again.' },
    }),
  );
  await sendCredentials(page, 'operator');
  const message = page
    .getByText(/^Your session has expired/)
    .first()
    .locator('..');
  await expect(message).toBeVisible();
  const button = await page.getByRole('button', { name: 'Log in', exact: true }).boundingBox();
  expect((await message.boundingBox())?.y).toBeGreaterThan((button?.y ?? 0) + (button?.height ?? 0));
  expect(page.url()).toContain(`${demonstration()}/login`);
});
