import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { demonstration, open, signIn } from '../portal/person.ts';

const SCREENS = [
  ['operator', '/monitoring/dashboard'],
  ['operator', '/monitoring/daily-checks'],
  ['operator', '/monitoring/calendar-report'],
  ['operator', '/monitoring/forbidden'],
  ['operator', '/nowhere'],
  ['everything', '/monitoring/companies'],
  ['everything', '/monitoring/sources'],
] as const;

async function expectNoBarriers(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('sign-in has no barrier', async ({ page }) => {
      await page.goto(`${demonstration()}/login`);
      await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
      await expectNoBarriers(page);
    });

    for (const [username, path] of SCREENS) {
      test(`${path} has no barrier`, async ({ page }) => {
        await signIn(page, username);
        await open(page, path);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expectNoBarriers(page);
      });
    }

    test('an opened run has no barrier', async ({ page }) => {
      await signIn(page, 'operator');
      await open(page, '/monitoring/daily-checks?state=all');
      await page.getByRole('grid', { name: 'Job executions' }).getByRole('row').nth(2).click();
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expectNoBarriers(page);
    });
  });
}
