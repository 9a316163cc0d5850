import { expect, test } from '../portal/journey.ts';
import { demonstration, signIn } from '../portal/person.ts';

/** What each account of the demonstration finds in the sidebar. */
const MENUS = {
  operator: ['Dashboard', 'Calendar view', 'Daily checks'],
  reader: ['Dashboard', 'Calendar view', 'Daily checks'],
  admin: ['Dashboard', 'Companies', 'Users', 'Sources'],
  reseller: ['Dashboard', 'Calendar view', 'Daily checks', 'Companies'],
  super: ['Dashboard', 'Connectors'],
} as const;
const ALL = ['Dashboard', 'Calendar view', 'Daily checks', 'Companies', 'Users', 'Sources', 'Connectors'];

for (const [username, menu] of Object.entries(MENUS)) {
  test(`${username} finds what the role may do, and nothing else`, async ({ page }) => {
    await signIn(page, username);
    for (const entry of ALL) {
      // Behind its name an entry may have how much waits there.
      const name = new RegExp(`^${entry}( \\d|$)`);
      await expect(page.getByRole('navigation').getByRole('link', { name })).toHaveCount(
        menu.some((known) => known === entry) ? 1 : 0,
      );
    }
  });
}

test('an address without permission leads to the forbidden page, an unknown address to the 404 page', async ({
  page,
}) => {
  await signIn(page, 'operator');
  await page.goto(`${demonstration()}/monitoring/sources`);
  await expect(page).toHaveURL(/forbidden/);
  await page.goto(`${demonstration()}/monitoring/nothing-here`);
  await expect(page.getByText('The page you requested could not be found.')).toBeVisible();
});

test('a user who is not signed in returns to the requested page after signing in', async ({ page }) => {
  await page.goto(`${demonstration()}/monitoring/calendar-report`);
  await expect(page).toHaveURL(/login/);
  await page.getByRole('textbox', { name: 'User name' }).fill('reader');
  await page.getByLabel('Password', { exact: true }).fill('keepwatch-demo');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/calendar-report/);
});

test('a wrong password shows the message of the server', async ({ page }) => {
  await page.goto(`${demonstration()}/login`);
  await page.getByRole('textbox', { name: 'User name' }).fill('operator');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wrong user name or password.')).toBeVisible();
});

test('a reseller sees its own companies only', async ({ page }) => {
  await signIn(page, 'reseller');
  await page.getByRole('link', { name: 'Companies', exact: true }).click();
  const rows = page.getByRole('grid').getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  await expect(rows).toHaveCount(13);
});

test('an administrator acts as a user, finds what that user may do, and exits to the page before', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto(`${demonstration()}/monitoring/users?search=reader`);
  await page.getByRole('gridcell', { name: 'reader', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in as this user' }).click();
  const bar = page.getByRole('region', { name: 'Signed in as another user' });
  await expect(bar).toContainText('(reader)');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true })).toHaveCount(0);
  await page.reload();
  await expect(bar).toBeVisible();
  await bar.getByRole('button', { name: 'Exit reader' }).click();
  await expect(page).toHaveURL(/monitoring\/users\?.*search=reader/);
  await expect(bar).toHaveCount(0);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Profile', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Activity' })).toContainText('Exited the account of another user');
});
