import type { Locator, Page } from '@playwright/test';
import { explore, openPath } from '../portal/explorer.ts';
import { LARGE_MAIL_ACCOUNT } from '../portal/huge-portal.ts';
import { expect, test } from '../portal/journey.ts';
import { watchTasks } from '../portal/long-tasks.ts';
import { huge, signIn } from '../portal/person.ts';
import { bareLoadMs, slownessBy } from '../portal/slowness.ts';

/** As many as ten pages have. */
const ROWS_READ = 1_000;
const FIRST_PAGE_MS_MAX = 1_000;
const TASK_MS_MAX = 200;
/** On a screen of 900 pixels, with those that are held ready above and below it. */
const ROWS_ON_PAGE_MAX = 80;
const WHEEL_PX = 800;
const ROUNDS_MAX = 3;

interface Round {
  firstPageMs: number;
  longestTaskMs: number;
  rowsOnPage: number;
}

test('a mailbox folder of 50,000 messages opens within a second and is scrolled page by page without a task over 200 ms', async ({
  page,
}) => {
  await signIn(page, LARGE_MAIL_ACCOUNT.username, LARGE_MAIL_ACCOUNT.password, huge());
  const rounds: Round[] = [];
  const bareMs: number[] = [];
  const isEnough = (round: Round) => isQuick(round, slownessBy(bareMs));
  // Whatever else the machine does can only make it slower.
  while (rounds.length < ROUNDS_MAX && !rounds.some(isEnough)) {
    bareMs.push(await bareLoadMs(page.context()), await bareLoadMs(page.context()));
    rounds.push(await openAndScroll(page));
  }
  console.log(
    `${rounds.map((round) => JSON.stringify(round)).join('; ')}; machine ${slownessBy(bareMs).toFixed(2)} times as slow as one of today`,
  );
  expect(rounds.some(isEnough), 'quick').toBe(true);
  for (const { rowsOnPage } of rounds) expect(rowsOnPage).toBeLessThanOrEqual(ROWS_ON_PAGE_MAX);
});

/** The bounds are for a machine of today; a slower one has as much more time. */
const isQuick = ({ firstPageMs, longestTaskMs }: Round, slowness: number) =>
  firstPageMs <= FIRST_PAGE_MS_MAX * slowness && longestTaskMs <= TASK_MS_MAX * slowness;

async function openAndScroll(page: Page): Promise<Round> {
  await explore(page, 'outlook', huge());
  await openPath(page, 'Mailboxes', 'Person 00000');
  const folder = page.getByRole('grid', { name: 'In Person 00000' }).getByText('Inbox', { exact: true });
  await expect(folder).toBeVisible();
  const longest = await watchTasks(page);
  const firstPageMs = await untilRowsAreThere(page, folder);
  const rowsOnPage = await scroll(page, page.getByRole('grid', { name: 'In Inbox' }));
  return { firstPageMs, longestTaskMs: await longest(), rowsOnPage };
}

/** From the click to the first frame with a row that can be read. The page looks itself: asked from outside, it would be busy with that. */
async function untilRowsAreThere(page: Page, folder: Locator): Promise<number> {
  await folder.evaluate((element) => {
    element.addEventListener(
      'click',
      () => {
        const start = performance.now();
        const look = () => {
          const row = document.querySelector('[role="grid"][aria-label="In Inbox"] [role="row"][aria-rowindex="2"]');
          if (/\w/.test(row?.textContent ?? '')) Object.assign(window, { firstPageMs: performance.now() - start });
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
  await folder.click();
  await page.waitForFunction(() => 'firstPageMs' in window);
  return page.evaluate(() => {
    const { firstPageMs } = window as unknown as { firstPageMs: number };
    Reflect.deleteProperty(window, 'firstPageMs');
    return Math.round(firstPageMs);
  });
}

/** Turns the wheel until so many rows were read. @returns the most rows that were on the page at a time */
async function scroll(page: Page, grid: Locator): Promise<number> {
  await grid.hover();
  const read = async () => Number(await grid.getAttribute('aria-rowcount'));
  let rowsOnPage = 0;
  while ((await read()) <= ROWS_READ) {
    await page.mouse.wheel(0, WHEEL_PX);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    rowsOnPage = Math.max(rowsOnPage, await grid.getByRole('row').count());
  }
  return rowsOnPage;
}
