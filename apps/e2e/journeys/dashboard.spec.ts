import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

const PANELS = ['Overview', 'History', "Didn't run", 'Most failures'];

test('the wheel moves the dashboard whatever panel the pointer is over', async ({ page }) => {
  await enterAs(page, 'operator');
  await page.setViewportSize({ width: 1_440, height: 900 });
  await open(page, '/monitoring/dashboard');
  const main = page.locator('main');
  for (const name of PANELS) {
    await main.evaluate((node) => node.scrollTo({ top: 0 }));
    await page.getByRole('region', { name, exact: true }).hover();
    await expect(async () => {
      await page.mouse.wheel(0, 400);
      expect(await main.evaluate((node) => node.scrollTop), name).toBeGreaterThan(0);
    }).toPass();
  }
});

test('a chart has enough space: nothing of the history is cut off', async ({ page }) => {
  await enterAs(page, 'operator');
  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, '/monitoring/dashboard');
    const history = page.getByRole('region', { name: 'History', exact: true });
    const hidden = await history.evaluate(({ lastElementChild: body }) =>
      body === null ? null : body.scrollHeight - body.clientHeight,
    );
    expect(hidden, `at ${width} px`).toBe(0);
  }
});
