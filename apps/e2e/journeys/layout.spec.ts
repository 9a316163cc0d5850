import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { demonstration, enterAs, open } from '../portal/person.ts';

const DAILY_CHECKS = '/monitoring/daily-checks';

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${part} is not on the page.`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height, middle: box.x + box.width / 2 };
}

/** The id of a company whose runs are in the list, as the portal names it in an address. */
async function companyInAddress(page: Page): Promise<string> {
  const filters = page.getByRole('region', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Company', exact: true }).click();
  await page.getByRole('dialog', { name: 'Companies' }).getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/company=/);
  return new URL(page.url()).searchParams.get('company') ?? '';
}

test.describe('the toolbar of the daily checks', () => {
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search runs' });

  /** What one sees in the toolbar, with its place. */
  async function expectOneRow(page: Page) {
    const bar = page.getByRole('region', { name: 'Filters' });
    await expect(search(page)).toBeVisible();
    const shown = bar.getByRole('button').or(search(page));
    const boxes = await Promise.all((await shown.all()).map(boxOf));
    expect(boxes.length).toBeGreaterThan(5);
    const middles = boxes.map(({ y, height }) => Math.round(y + height / 2));
    expect(Math.max(...middles) - Math.min(...middles), 'all in one row').toBeLessThanOrEqual(1);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual((await boxOf(bar)).right);
    expect((await boxOf(bar)).height).toBe(48);
    expect((await boxOf(search(page))).width, 'the search box shows its words').toBeGreaterThanOrEqual(150);
  }

  test('is one row at 1440 px in every state', async ({ page }) => {
    await enterAs(page, 'operator');
    await open(page, `${DAILY_CHECKS}?state=pending`);
    await expectOneRow(page);
    const company = await companyInAddress(page);
    const filters = 'state=in-progress&result=Failed&result=Warning&result=DidntRun&source=office365&managed=yes';
    await open(page, `${DAILY_CHECKS}?${filters}&company=${company}&latest=true&ignored=true&anomaly=false`);
    await expectOneRow(page);
    await expect(page.getByRole('button', { name: 'More filters (3)' })).toBeVisible();
    await open(page, `${DAILY_CHECKS}?state=all&date=2026-10-01..2026-11-20&result=Failed&company=${company}`);
    await expectOneRow(page);
  });

  test('is one row at 1024 px, too', async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 800 });
    await enterAs(page, 'operator');
    await open(page, `${DAILY_CHECKS}?state=in-progress&result=Failed&result=Warning`);
    expect((await boxOf(page.getByRole('region', { name: 'Filters' }))).height).toBe(48);
  });

  test('marks what the user has narrowed, and nothing else', async ({ page }) => {
    await enterAs(page, 'operator');
    await open(page, `${DAILY_CHECKS}?state=pending`);
    const background = (name: RegExp) =>
      page
        .getByRole('region', { name: 'Filters' })
        .getByRole('button', { name })
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    const neutral = await background(/^Company/);
    expect(await background(/^State: Pending/)).toBe(neutral);
    expect(await background(/^More filters/)).toBe(neutral);
    await open(page, `${DAILY_CHECKS}?state=resolved&ignored=true`);
    expect(await background(/^State: Resolved/)).not.toBe(neutral);
    expect(await background(/^More filters \(1\)/)).not.toBe(neutral);
  });
});

test('the message has most of the list, and two lines of it', async ({ page }) => {
  await enterAs(page, 'operator');
  await open(page, `${DAILY_CHECKS}?state=pending&result=Failed`);
  const list = page.getByRole('grid', { name: 'Job executions' });
  await expect(list.getByRole('columnheader', { name: 'State' })).toHaveCount(0);
  const message = await boxOf(list.getByRole('columnheader', { name: 'Message' }));
  expect(message.width).toBeGreaterThan(360);
  const text = list.getByRole('row').nth(1).getByRole('gridcell').last();
  // The rows come after the head of the list.
  await expect.poll(async () => (await boxOf(text)).height).toBeGreaterThanOrEqual(40);
  await open(page, `${DAILY_CHECKS}?state=all&result=Failed`);
  await expect(list.getByRole('columnheader', { name: 'State' })).toBeVisible();
});

test('from 1600 px on an open run pushes the list aside, below that it covers the list', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await enterAs(page, 'operator');
  await open(page, `${DAILY_CHECKS}?state=pending&result=Failed`);
  const list = page.getByRole('grid', { name: 'Job executions' });
  await list.getByRole('row').nth(1).getByText('Failed', { exact: true }).click();
  const drawer = page.getByRole('dialog', { name: /^Job execution/ });
  expect((await boxOf(list)).right).toBeLessThanOrEqual((await boxOf(drawer)).x);
  await expect(list.getByRole('columnheader', { name: 'Message' })).toBeVisible();
  await page.setViewportSize({ width: 1500, height: 900 });
  await expect.poll(async () => (await boxOf(list)).right).toBeGreaterThan((await boxOf(drawer)).x);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  /** Buttons, checkboxes and fields that a finger would miss: the area that reacts is smaller than 44 pixels. */
  function tooSmall(page: Page): Promise<string[]> {
    return page.evaluate(() => {
      const parts = document.querySelectorAll<HTMLElement>(
        'button, input, summary, [role="button"]:not(g), [role="option"], nav a',
      );
      const area = (part: HTMLElement) => (part.closest('label') ?? part).getBoundingClientRect();
      return [...parts]
        .filter((part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((part) => part.closest('[aria-hidden="true"], [inert], .visually-hidden') === null)
        .filter((part) => area(part).width > 1 && (area(part).width < 43.5 || area(part).height < 43.5))
        .map((part) => {
          const { width, height } = area(part);
          const name = part.getAttribute('aria-label') ?? part.textContent;
          return `${part.tagName} ${name} ${Math.round(width)} x ${Math.round(height)}`;
        });
    });
  }

  for (const screen of ['daily-checks', 'companies', 'sources', 'dashboard', 'calendar-report']) {
    test(`${screen} can be used with a finger`, async ({ page }) => {
      await enterAs(page, 'everything');
      await open(page, `/monitoring/${screen}`);
      expect(await tooSmall(page)).toEqual([]);
    });
  }

  test('what is in a panel, a dialog and an open run can be used with a finger', async ({ page }) => {
    await enterAs(page, 'everything');
    await open(page, '/');
    expect(await tooSmall(page)).toEqual([]);
    await open(page, DAILY_CHECKS);
    await page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Company', exact: true }).tap();
    await expect(page.getByRole('dialog', { name: 'Companies' }).getByRole('option').first()).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell').last().tap();
    await expect(
      page.getByRole('dialog', { name: /^Job execution/ }).getByRole('heading', { name: 'Notes', exact: true }),
    ).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
    await open(page, '/monitoring/sources');
    await page.getByRole('button', { name: 'Create a token' }).tap();
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
  });

  test('a tap that closes a panel does not open the row below it', async ({ page }) => {
    await enterAs(page, 'operator');
    await open(page, DAILY_CHECKS);
    await page.getByRole('button', { name: /^State/ }).tap();
    await expect(page.getByRole('dialog', { name: 'State' })).toBeVisible();
    await page.touchscreen.tap(200, 700);
    await expect(page.getByRole('dialog', { name: 'State' })).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.touchscreen.tap(200, 700);
    await expect(page.getByRole('dialog', { name: /^Job execution/ })).toBeVisible();
  });

  test('a row has two lines for the reason', async ({ page }) => {
    await enterAs(page, 'operator');
    await open(page, `${DAILY_CHECKS}?state=pending&result=Failed`);
    const cell = page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell').last();
    const reason = cell.locator('[data-part="reason"]');
    expect((await boxOf(reason)).height).toBe(40);
    expect((await boxOf(reason)).width).toBeGreaterThan(290);
  });

  test('all that can be done with the chosen runs is there without scrolling', async ({ page }) => {
    await enterAs(page, 'operator');
    await open(page, DAILY_CHECKS);
    await page.getByRole('grid').getByRole('row').nth(1).getByRole('checkbox').tap();
    const bar = page.getByRole('toolbar', { name: 'Selected runs' });
    for (const name of [/^Resolve/, /^In progress/, /^Ignore/, /^Note/, /^Select/, /^Clear/])
      expect((await boxOf(bar.getByRole('button', { name }))).right, String(name)).toBeLessThanOrEqual(390);
    expect(await bar.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
  });
});

test.describe('an error', () => {
  const FAILING = { companies: /\/companies(\?|$)/, sources: /\/sources(\?|$)|intake-tokens/ } as const;
  for (const [screen, calls] of Object.entries(FAILING)) {
    test(`of ${screen} is in the middle`, async ({ page }) => {
      await enterAs(page, 'admin');
      await page.route(
        (url) => url.pathname.startsWith('/api') && calls.test(url.pathname + url.search),
        (route) => route.fulfill({ status: 500, json: { success: false, message: 'It failed.' } }),
      );
      await page.goto(`${demonstration()}/monitoring/${screen}`);
      const main = await boxOf(page.locator('main'));
      const titles = page.getByRole('alert').getByRole('heading');
      // Reads are tried three times, with three seconds of waiting between them.
      await expect(titles.first()).toBeVisible({ timeout: 20_000 });
      // A panel may ask again meanwhile: then its error is drawn again.
      await expect(async () => {
        for (const title of await titles.all())
          expect(Math.abs((await boxOf(title)).middle - main.middle)).toBeLessThanOrEqual(2);
      }).toPass();
    });
  }
});

test('empty lists show their message at one height', async ({ page }) => {
  await enterAs(page, 'everything');
  const tops: number[] = [];
  for (const address of [
    'daily-checks?state=all&search=zzzzz',
    'companies?search=zzzzz',
    'calendar-report?search=zzzzz',
  ]) {
    await open(page, `/monitoring/${address}`);
    tops.push((await boxOf(page.locator('main').getByRole('heading', { name: /^No / }))).y);
  }
  expect(new Set(tops.map(Math.round)).size, tops.join(', ')).toBe(1);
});

test('header, toolbar, dashboard and sources end at one line', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1000 });
  await enterAs(page, 'everything');
  await open(page, '/monitoring/sources');
  const account = (await boxOf(page.getByRole('button', { name: /^Account of/ }))).right;
  expect((await boxOf(page.getByRole('region', { name: 'Consoles' }))).right).toBeCloseTo(account, 0);
  const heading = await boxOf(page.getByRole('button', { name: 'Connect a console' }));
  const rowEnd = await boxOf(page.getByRole('button', { name: /^More for/ }));
  expect(heading.right).toBeCloseTo(rowEnd.right, 0);
  await open(page, '/monitoring/dashboard');
  expect((await boxOf(page.getByRole('region', { name: 'Overview' }))).right).toBeCloseTo(account, 0);
  await open(page, DAILY_CHECKS);
  expect((await boxOf(page.getByRole('button', { name: 'Export CSV' }))).right).toBeCloseTo(account, 0);
});

test('at 1024 px the line in the overview does not touch its words', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await enterAs(page, 'operator');
  await open(page, '/monitoring/dashboard');
  const overview = page.getByRole('region', { name: 'Overview' });
  const line = await boxOf(overview.locator('dl').first());
  const above = await boxOf(overview.getByRole('list').first());
  expect(line.y - above.bottom).toBeGreaterThanOrEqual(4);
  const rows = await overview.locator('dl').first().locator('dt').all();
  const boxes = await Promise.all(rows.map(boxOf));
  expect(Math.min(...boxes.map(({ y }) => y)) - line.y).toBeGreaterThanOrEqual(4);
  expect((await boxOf(overview)).bottom - Math.max(...boxes.map(({ bottom }) => bottom))).toBeGreaterThanOrEqual(4);
});

test('a company with a long name stays within the dialog of a new token', async ({ page }) => {
  await enterAs(page, 'admin');
  const name = `Gesellschaft für ${'Datensicherung und '.repeat(8)}Verwaltung mbH`;
  await page.route(
    (url) => /\/companies/.test(url.pathname) && url.pathname.startsWith('/api'),
    async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      if (Array.isArray(json.data)) for (const company of json.data) company.name = name;
      await route.fulfill({ response, json });
    },
  );
  await open(page, '/monitoring/sources');
  await page.getByRole('button', { name: 'Create a token' }).click();
  await page.getByRole('button', { name: 'Company', exact: true }).click();
  await page.getByRole('dialog', { name: 'Companies' }).getByRole('option').first().click();
  const button = page.getByRole('button', { name: /^Company: Gesellschaft/ });
  const field = await boxOf(page.getByRole('textbox', { name: 'Name' }));
  expect((await boxOf(button)).right).toBeLessThanOrEqual(field.right + 1);
  expect((await boxOf(button.locator('svg'))).right, 'with its arrow').toBeLessThanOrEqual(field.right);
});

test('the ring around the brand is whole', async ({ page }) => {
  await enterAs(page, 'operator');
  await open(page, '/monitoring/dashboard');
  const brand = page.getByRole('navigation').getByRole('link').first();
  await page.keyboard.press('Tab');
  await brand.focus();
  const { outline, offset } = await brand.evaluate((node) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(node);
    return { outline: Number.parseFloat(outlineWidth), offset: Number.parseFloat(outlineOffset) };
  });
  const [link, sidebar] = [await boxOf(brand), await boxOf(page.getByRole('navigation'))];
  expect(link.x - offset - outline).toBeGreaterThanOrEqual(sidebar.x);
  expect(link.right + offset + outline).toBeLessThanOrEqual(sidebar.right);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a disabled button can be read (${colorScheme})`, async ({ page }) => {
    await enterAs(page, 'admin');
    await open(page, '/monitoring/sources');
    await page.evaluate(
      (scheme) => document.documentElement.setAttribute('data-mantine-color-scheme', scheme),
      colorScheme,
    );
    await page.getByRole('button', { name: 'Create a token' }).click();
    const button = page.getByRole('button', { name: 'Create token' });
    await expect(button).toBeDisabled();
    const contrast = await button.evaluate((node) => {
      const { color, backgroundColor, opacity } = getComputedStyle(node);
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const luminance = (text: string) => {
        if (canvas === null) return 0;
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
          const value = part / 255;
          return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0);
      };
      const [one, other] = [luminance(color), luminance(backgroundColor)];
      return (opacity === '1' ? 1 : 0) * ((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
    });
    expect(contrast).toBeGreaterThanOrEqual(4.5);
  });
}

test('sources show the shape of what comes while it is read', async ({ page }) => {
  await enterAs(page, 'admin');
  const held: (() => void)[] = [];
  await page.route(
    (url) => /^\/api.*\/(sources|intake-tokens)/.test(url.pathname),
    async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    },
  );
  await page.goto(`${demonstration()}/monitoring/sources`);
  const consoles = page.getByRole('region', { name: 'Consoles' });
  await expect(consoles.locator('[aria-busy="true"] [data-part="skeleton"]').first()).toBeVisible();
  for (const release of held) release();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
