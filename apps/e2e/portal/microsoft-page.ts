import { expect, type Page } from '@playwright/test';

/** Opens the page that a device code is entered at, enters it, and signs in as the administrator of a tenant. */
export async function enterCode(page: Page, domain: string): Promise<void> {
  const code = (await page.getByRole('listitem').locator('code').textContent()) ?? '';
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /\/devicelogin$/ }).click();
  const microsoft = await opening;
  await microsoft.getByRole('textbox', { name: /Code/ }).fill(code);
  await microsoft.getByRole('combobox', { name: 'Account' }).selectOption(`admin@${domain} (administrator)`);
  await microsoft.getByRole('button', { name: 'Sign in' }).click();
  await expect(microsoft.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await microsoft.close();
}
