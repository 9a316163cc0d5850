import { expect, type Page } from '@playwright/test';

/** Addresses of the two portals (see global-setup.ts). */
export const demonstration = () => process.env['PORTAL_URL'] ?? '';
export const huge = () => process.env['HUGE_PORTAL_URL'] ?? '';

/** Signs in through the page, as a person does, and waits for the first screen. */
export async function signIn(
  page: Page,
  username: string,
  password = 'keepwatch-demo',
  origin = demonstration(),
): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByRole('textbox', { name: 'User name' }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();
}

/** Opens a screen and waits until nothing is being loaded any more. */
export async function open(page: Page, path: string, origin = demonstration()): Promise<void> {
  await page.goto(origin + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}
