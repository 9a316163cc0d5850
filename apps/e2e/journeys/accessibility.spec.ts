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

async function expectNoBarriers(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // As a person chooses it: so the page keeps to it, also when it is drawn anew while it is looked at.
  const choice = page.getByRole('button', { name: `Change to ${scheme} colours` });
  if (await choice.isVisible()) await choice.click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

// Light last: the choice is kept with the user, and other journeys begin with it.
for (const colorScheme of ['dark', 'light'] as const) {
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
