import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

test('a list is on paper as it is on the screen, without what only a screen needs', async ({ page }) => {
  await enterAs(page, 'operator');
  for (const screen of ['calendar-report', 'daily-checks']) {
    await page.emulateMedia({ media: 'screen' });
    await open(page, `/monitoring/${screen}`);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation'), screen).toBeHidden();
    await expect(page.getByRole('banner').getByRole('button'), screen).toHaveCount(0);
    expect((await page.getByRole('grid').boundingBox())?.height, screen).toBeGreaterThan(400);
  }
});

test('where the system chooses the colours one still sees what is on, where one is, and the charts', async ({
  page,
}) => {
  await enterAs(page, 'operator');
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, '/monitoring/dashboard?all=true');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveCSS('outline-style', 'solid');
  const marks = page.getByRole('list', { name: 'Totals' }).locator('[aria-hidden]');
  await expect(marks, 'five results and the line of the success rate').toHaveCount(6);
  const looks = await marks.evaluateAll((all) =>
    all.map((mark) => {
      const { backgroundColor, borderTopStyle } = getComputedStyle(mark);
      return `${backgroundColor} ${borderTopStyle}`;
    }),
  );
  expect(new Set(looks).size).toBe(6);
  await open(page, '/monitoring/calendar-report');
  await expect(page.locator('.mantine-Switch-track')).toHaveCSS('border-top-style', 'solid');
});
