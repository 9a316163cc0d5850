import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { chooseScheme, demonstration, open, signIn } from '../portal/person.ts';

const SCREENS = [
  ['operator', '/monitoring/dashboard'],
  ['operator', '/monitoring/daily-checks'],
  ['operator', '/monitoring/calendar-report'],
  ['operator', '/monitoring/forbidden'],
  ['operator', '/nowhere'],
  ['everything', '/monitoring/companies'],
  ['everything', '/monitoring/sources'],
] as const;

/**
 * Signs in as a user who has chosen the scheme of the test. The choice is kept with the user, whom other journeys share: what was
 * chosen before holds again when the test has ended, however it did.
 */
const test = base.extend<{ signInAs: (username: string) => Promise<void> }>({
  signInAs: async ({ page, colorScheme }, use) => {
    const before = new Map<string, Awaited<ReturnType<typeof chooseScheme>>>();
    await use(async (username) => {
      before.set(username, await chooseScheme(username, colorScheme === 'dark' ? 'dark' : 'light'));
      await signIn(page, username);
    });
    for (const [username, scheme] of before) await chooseScheme(username, scheme);
  },
});

async function expectNoBarriers(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
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
      test(`${path} has no barrier`, async ({ page, signInAs }) => {
        await signInAs(username);
        await open(page, path);
        await expectNoBarriers(page, colorScheme);
      });
    }

    test('an opened run has no barrier', async ({ page, signInAs }) => {
      await signInAs('operator');
      await open(page, '/monitoring/daily-checks?state=all');
      await page.getByRole('grid', { name: 'Job executions' }).getByRole('row').nth(2).click();
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expectNoBarriers(page, colorScheme);
    });
  });
}
