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

/** Whatever the signed-in user chose, the page shows this scheme. */
async function expectNoBarriers(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), scheme);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
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
      await expectNoBarriers(page, colorScheme);
    });

    for (const [username, path] of SCREENS) {
      test(`${path} has no barrier`, async ({ page }) => {
        await signIn(page, username);
        await open(page, path);
        await expectNoBarriers(page, colorScheme);
      });
    }

    test('an opened run has no barrier', async ({ page }) => {
      await signIn(page, 'operator');
      await open(page, '/monitoring/daily-checks?state=all');
      await page.getByRole('grid', { name: 'Job executions' }).getByRole('row').nth(2).click();
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expectNoBarriers(page, colorScheme);
    });
  });
}
