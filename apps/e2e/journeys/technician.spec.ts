import { readFile } from 'node:fs/promises';
import { expect, test } from '../portal/journey.ts';
import { addUser, resetFilters, signIn } from '../portal/person.ts';

/**
 * Who works here alone: what another journey stores with its user changes no list under these hands. After a failure another process goes on,
 * and no two users have one name.
 */
const TECHNICIAN = `technician-${process.env['TEST_WORKER_INDEX']}`;

// The morning is as it is for most people: with motion, and begun by signing in.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.beforeAll(() => addUser(TECHNICIAN));
test.beforeEach(() => resetFilters(TECHNICIAN));

/** What the product is for: the morning of a technician who has never seen it. */
test('finds the failures of yesterday, reads why, writes a note, resolves ten, undoes, exports the rest', async ({
  page,
}) => {
  const begun = Date.now();
  await signIn(page, TECHNICIAN);
  await page.getByRole('link', { name: 'Daily checks' }).click();
  const list = page.getByRole('grid', { name: 'Job executions' });
  await expect(list.getByRole('row').nth(1)).toBeVisible();

  await test.step('narrows the list to the failures of yesterday', async () => {
    await page.getByRole('button', { name: 'Last 2 days' }).click();
    await page.getByRole('button', { name: 'Yesterday', exact: true }).click();
    await page
      .getByRole('region', { name: 'Filters' })
      .getByRole('button', { name: /^Result/ })
      .click();
    await page.getByRole('dialog', { name: 'Result' }).getByRole('option', { name: 'Failed' }).click();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/result=.*Failed/);
    await expect(list.getByText('Warning', { exact: true })).toHaveCount(0);
  });

  const rows = list
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox') })
    .filter({ hasText: 'Failed' });
  await expect(rows.nth(10)).toBeVisible();

  await test.step('reads why the first one failed and writes a note', async () => {
    await rows.first().getByText('Failed', { exact: true }).click();
    const drawer = page
      .getByRole('complementary')
      .or(page.getByRole('dialog'))
      .filter({ has: page.getByRole('heading', { level: 2 }) });
    await expect(drawer.getByText(/\w{4,}.*\w{4,}/).first()).toBeVisible();
    await drawer.getByRole('textbox', { name: 'Note' }).fill('Repository was full; asked the customer');
    await drawer.getByRole('button', { name: 'Save note' }).click();
    const thread = drawer.getByRole('region', { name: 'Notes' }).getByRole('listitem');
    await expect(thread.filter({ hasText: 'asked the customer' })).toContainText(TECHNICIAN);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
  });

  const count = async () =>
    Number((await page.getByText(/^[\d,]+( of [\d,]+)? pending$/).textContent())?.split(' of ')[0]?.replace(/\D/g, ''));
  const before = await count();

  await test.step('resolves ten at once, undoes it, and does it again', async () => {
    const choose = async () => {
      await rows.first().getByRole('checkbox').click();
      await rows
        .nth(9)
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] });
      await expect(page.getByText('10 selected')).toBeVisible();
      await page.getByRole('toolbar', { name: 'Selected runs' }).getByRole('button', { name: 'Resolve' }).click();
    };
    await choose();
    await expect.poll(count).toBe(before - 10);
    const done = page.getByRole('status').filter({ hasText: '10 runs resolved.' });
    const message = await done.boundingBox();
    const exporting = await page.getByRole('button', { name: 'Export CSV' }).boundingBox();
    expect(message?.y, 'covers nothing of the head').toBeGreaterThan((exporting?.y ?? 0) + (exporting?.height ?? 0));
    await done.getByText('10 runs resolved.').locator('..').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(count).toBe(before);
    await choose();
    await expect.poll(count).toBe(before - 10);
  });

  await test.step('exports the rest as CSV', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^DailyChecks-.*\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(before - 10 + 1);
    expect(text).not.toMatch(/(^|,)"?[=+@]/m);
  });

  expect(Date.now() - begun).toBeLessThan(120_000);
});

test('works down the list with the keyboard alone', async ({ page }) => {
  await signIn(page, TECHNICIAN);
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/dashboard/);
  await page.getByRole('link', { name: 'Daily checks' }).press('Enter');
  // The first key needs no rows yet; what it has made active is opened once it is there.
  await expect(page.getByRole('grid', { name: 'Job executions' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.keyboard.press('Enter');
  const title = page.getByRole('heading', { level: 2 }).first();
  await expect(title).toBeVisible();
  const first = page.url();
  await page.keyboard.press('j');
  await expect.poll(() => page.url()).not.toBe(first);
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Undo' }).first()).toBeVisible();
});

test('a linked address shows the same list to a colleague who may only read, without a way to change it', async ({
  page,
}) => {
  await signIn(page, 'reader');
  await page.goto(`${new URL(page.url()).origin}/monitoring/daily-checks?state=all&result=Failed`);
  const list = page.getByRole('grid', { name: 'Job executions' });
  await expect(list.getByRole('row').nth(3)).toBeVisible();
  await expect(list.getByRole('checkbox')).toHaveCount(0);
  await list.getByRole('row').nth(2).getByText('Failed', { exact: true }).click();
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resolve' })).toHaveCount(0);
});
