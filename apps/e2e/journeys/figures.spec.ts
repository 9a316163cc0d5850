import { editJobExecutions } from '@keepwatch/contract/executions/job-executions';
import type { Locator, Page } from '@playwright/test';
import { daysAgo } from '../portal/days-ago.ts';
import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

const PROBLEMS = ['Failed', "Didn't run", 'Doubtful'];
const RESULTS = ['Failed', "Didn't run", 'Warning', 'Running', 'Success'];

/**
 * A day that is over. Still the sandbox's history is being read, and a run of its night may end: where the day has changed between two
 * figures, both are read again (`toPass`).
 */
const DASHBOARD = '/monitoring/dashboard?date=Yesterday';

const numberIn = (text: string | null) => Number(text?.replace(/\D/g, ''));

/** How many runs the open list has; narrowed, it says beside it of how many. */
async function listed(page: Page): Promise<number> {
  await expect(page).toHaveURL(/daily-checks/);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const [count = ''] = (await page.getByText(/^[\d,]+( of [\d,]+)? runs?$/).textContent())?.split(' ') ?? [];
  return numberIn(count);
}

async function openHistory(page: Page, address = DASHBOARD): Promise<Locator> {
  await open(page, address);
  return historyOf(page);
}

async function historyOf(page: Page): Promise<Locator> {
  const history = page.getByRole('region', { name: 'History', exact: true });
  await expect(history.getByRole('list', { name: 'Totals' })).toBeVisible();
  return history;
}

test.beforeEach(({ page }) => enterAs(page, 'operator'));

for (const [address, entries] of [
  [DASHBOARD, PROBLEMS],
  [`${DASHBOARD}&all=true`, RESULTS],
] as const)
  test(`a sum of the legend leads by the mouse to as many runs as it says: ${entries}`, async ({ page }) => {
    for (const result of entries)
      await expect(async () => {
        const history = await openHistory(page, address);
        const link = history
          .getByRole('list', { name: 'Totals' })
          .getByRole('link', { name: new RegExp(`^${result} \\d`) });
        const count = numberIn(await link.textContent());
        await link.click();
        expect(await listed(page), result).toBe(count);
      }).toPass();
  });

test('each part of a bar leads by the keyboard to as many runs as it says', async ({ page }) => {
  const address = `${DASHBOARD}&all=true`;
  const parts = await (await openHistory(page, address)).getByRole('link', { name: /^Show / }).count();
  expect(parts).toBeGreaterThan(2);
  for (let place = 1; place <= parts; place += 1) {
    await expect(async () => {
      const history = await openHistory(page, address);
      await history.getByRole('link', { name: /\d{4}: / }).focus();
      for (let step = 0; step < place; step += 1) await page.keyboard.press('ArrowUp');
      const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
      expect(label).toMatch(/^Show /);
      await page.keyboard.press('Enter');
      expect(await listed(page), label).toBe(numberIn(label));
    }).toPass();
    await page.goBack();
    await historyOf(page);
  }
});

test('a part of a bar is there for the mouse where it is drawn', async ({ page }) => {
  await expect(async () => {
    const history = await openHistory(page);
    const failed = history.getByRole('link', { name: /^Show [\d,]+ failed$/ });
    const count = numberIn(await failed.getAttribute('aria-label'));
    await failed.click();
    expect(await listed(page)).toBe(count);
  }).toPass();
});

test('a bar leads to the problems that it is made of, and the day is on the button of the range', async ({ page }) => {
  await expect(async () => {
    const history = await openHistory(page);
    const legend = history.getByRole('list', { name: 'Totals' }).getByRole('link');
    const sums = (await legend.allTextContents()).slice(0, PROBLEMS.length);
    const problems = sums.reduce((sum, text) => sum + numberIn(text), 0);
    expect(problems).toBeGreaterThan(0);
    await history.getByRole('link', { name: /\d{4}: / }).focus();
    await page.keyboard.press('Enter');
    expect(await listed(page)).toBe(problems);
  }).toPass();
  await expect(page.getByRole('button', { name: /^[A-Z][a-z]{2} \d+(, \d{4})? \(UTC\)$/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Select Date' })).toHaveCount(0);
});

test('a red cell of the calendar opens its runs, also after they were ignored', async ({ page }) => {
  // Of a month that had a whole day: on the first of one nothing may have failed in it yet.
  const month = daysAgo(1).slice(0, 7);
  const openCell = async () => {
    await open(page, `/monitoring/calendar-report?trouble=true&month=${month}`);
    await page.getByRole('gridcell', { name: 'Failed', exact: true }).first().click();
    return { count: await listed(page), address: page.url() };
  };
  // A failure of an older night that is read in between may be the first cell then.
  await expect(async () => {
    const cell = await openCell();
    expect(cell.count).toBeGreaterThan(0);
    await expect(page.getByText(/, filtered by (?!…)/)).toBeVisible();
    await ignoreFirstRun(page);
    expect(await openCell()).toEqual(cell);
  }).toPass();
});

async function ignoreFirstRun(page: Page): Promise<void> {
  const edit = page.waitForResponse((response) => response.url().endsWith(editJobExecutions.path));
  await page.getByRole('checkbox').nth(1).click();
  await page.getByRole('toolbar', { name: 'Selected runs' }).getByRole('button', { name: 'Ignore' }).click();
  await page.getByRole('dialog').getByRole('button').first().click();
  expect((await edit).status()).toBe(200);
}

test('a link to a company that does not exist shows one message, and is reset', async ({ page }) => {
  for (const company of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
    await open(page, `/monitoring/dashboard?company=${company}`);
    await expect(page.getByText('This link has a filter that does not exist.')).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'Overview' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Reset filters' }).press('Enter');
    await expect(page.getByRole('region', { name: 'Overview' })).toBeVisible();
  }
});

test('the computers without agent are listed from their figure, with nothing but the keyboard', async ({ page }) => {
  await open(page, '/monitoring/dashboard');
  const figure = page.getByRole('button', { name: /computers without agent$/ });
  const count = numberIn((await figure.textContent())?.split(' of ')[0] ?? '');
  await figure.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: `Computers without agent (${count})` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(figure).toBeFocused();
});

/** Figures that are followed on each page: before a release all, else some from all over it. */
const FIGURES_FOLLOWED = process.env['SOAK'] === 'true' ? 1_000 : 7;

interface FigureOfPage {
  text: string;
  href: string;
}

/** The figures of the dashboard that lead to runs, each with what it says; in a ranking its row says it. */
async function linksToRuns(page: Page, regions: readonly string[]): Promise<FigureOfPage[]> {
  const linksIn = (region: string) =>
    page.getByRole('region', { name: region, exact: true }).locator('a[href*="/daily-checks"]');
  const figures: FigureOfPage[] = [];
  for (const region of regions)
    for (const link of await linksIn(region).all()) {
      const said = region === 'Most failures' ? link.locator('xpath=..').getByText(/^[\d,]+ of [\d,]+$/) : link;
      const text = (await link.getAttribute('aria-label')) ?? (await said.textContent()) ?? '';
      figures.push({ text, href: (await link.getAttribute('href')) ?? '' });
    }
  return figures;
}

/** What a figure counts: `973 of 1,000 runs`, `12 Failed`, `Failed 12`, `Show 3 doubtful`; `null` where it is no count. */
function countIn(text: string): number | null {
  const share = /([\d,]+) of [\d,]+/.exec(text)?.[1];
  if (share !== undefined) return numberIn(share);
  const alone = /^(?:Show )?([\d,]+) (?!TB|GB|MB|KB|B\b)[A-Za-z']+|^[A-Z][A-Za-z' ]* ([\d,]+)$/.exec(text);
  return alone === null ? null : numberIn(alone[1] ?? alone[2] ?? '');
}

test('every figure of the dashboard that leads to runs leads to as many as it says', async ({ page }) => {
  for (const [address, regions] of [
    [DASHBOARD, ['Overview', 'History', 'Most failures']],
    [`${DASHBOARD}&all=true`, ['History']],
  ] as const) {
    const read = async () => {
      await openHistory(page, address);
      await expect(page.getByRole('region', { name: 'Most failures' }).getByRole('listitem').first()).toBeVisible();
      return linksToRuns(page, regions);
    };
    const figures = (await read()).filter(({ text }) => countIn(text) !== null);
    expect(figures.length).toBeGreaterThan(5 * regions.length);
    // Runs end while the test is running: what has changed since it was read is read again.
    const step = Math.ceil(figures.length / FIGURES_FOLLOWED);
    for (const { href } of figures.filter((_, at) => at % step === 0))
      await expect(async () => {
        await page.goto(new URL(href, page.url()).href);
        const count = await listed(page);
        const known = figures.find((figure) => figure.href === href)?.text ?? '';
        if (count === countIn(known)) return;
        const now = (await read()).find((figure) => figure.href === href)?.text ?? '';
        expect(count, `${now} (${href})`).toBe(countIn(now));
      }).toPass();
  }
});

/** What figures that open a list say: those of a company in the text of its row. */
async function openedFigures(page: Page): Promise<{ figure: Locator; said: Locator }[]> {
  const dialogOf = (region: string) =>
    page.getByRole('region', { name: region }).locator('button[aria-haspopup="dialog"]');
  const counting = [...(await dialogOf('Overview').all()), ...(await dialogOf('Since yesterday').all())];
  const [all, ...companies] = await dialogOf('Unprotected computers').all();
  const rows = companies
    .slice(0, 2)
    .map((figure) => ({ figure, said: figure.locator('xpath=..').getByText(/^[\d,]+ of [\d,]+$/) }));
  return [...counting, ...(all === undefined ? [] : [all])].map((figure) => ({ figure, said: figure })).concat(rows);
}

test('every figure of the dashboard that opens a list opens as many lines as it says', async ({ page }) => {
  await openHistory(page);
  await page.locator('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
  await expect(page.getByRole('region', { name: 'Unprotected computers' }).getByRole('listitem').first()).toBeVisible();
  const figures = await openedFigures(page);
  expect(figures.length).toBeGreaterThan(7);
  // Runs end while the test is running.
  for (const { figure, said } of figures)
    await expect(async () => {
      const [count = ''] = /[\d,]+/.exec((await said.textContent()) ?? '') ?? [];
      await figure.click();
      const title = page.getByRole('dialog').getByRole('heading').first();
      await expect(title).toContainText(/\([\d,]+\)$/);
      const listedCount = /\(([\d,]+)\)$/.exec((await title.textContent()) ?? '')?.[1];
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect(listedCount).toBe(count);
    }).toPass();
});

test('the success rate is explained to the keyboard', async ({ page }) => {
  await openHistory(page);
  const sign = page.getByRole('button', { name: 'What counts: Success rate' });
  const text = page.getByRole('tooltip').filter({ hasText: /^Successful runs of all/ });
  await expect(text).toBeHidden();
  await sign.focus();
  await expect(text).toBeVisible();
});
