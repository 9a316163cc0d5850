import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { enterCode } from './microsoft-page.ts';
import { microsoft365 } from './microsoft365-portal.ts';

/** Opens an explorer at the newest restore point; of the first provider of the demonstration, unless it is said otherwise. */
export async function explore(
  page: Page,
  name: 'outlook' | 'onedrive' | 'sharepoint' | 'teams',
  origin = microsoft365(),
): Promise<void> {
  await page.goto(`${origin}/o365/${name}`);
  await expect(page.getByRole('grid').first().getByRole('row').nth(1)).toBeVisible();
}

/** A row of a list, by the name that it shows. */
export const rowOf = (page: Page, list: string, name: string): Locator =>
  page
    .getByRole('grid', { name: list, exact: true })
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });

/** Opens rows one after the other, from the top on. */
export async function openPath(page: Page, top: string, ...names: readonly string[]): Promise<void> {
  let list = top;
  for (const name of names) {
    await rowOf(page, list, name).getByText(name, { exact: true }).click();
    list = `In ${name}`;
  }
}

export async function choose(page: Page, list: string, name: string): Promise<void> {
  await rowOf(page, list, name).getByRole('checkbox').click();
}

/** Restores what is selected to where it was, as an administrator of the tenant: first the plan, then the restore. */
export async function restoreSelection(page: Page, domain: string, state: 'Success' | 'Warning'): Promise<Locator> {
  await page.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show the plan' }).click();
  await expect(dialog.getByRole('list', { name: 'Plan' })).toHaveText('1 will be added');
  // Who has signed in stays so for the sessions that follow.
  const confirmed = dialog.getByText(`Signed in as admin@${domain} (administrator)`);
  const code = dialog.getByRole('link', { name: /\/devicelogin$/ });
  await expect(code.or(confirmed)).toBeVisible();
  if (await code.isVisible()) await enterCode(page, domain);
  await expect(confirmed).toBeVisible();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(dialog.getByText(`Restore: ${state}`)).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Result' })).toContainText('1 restored');
  return dialog;
}

/** Downloads what is selected at once, in a format; gives where the file is. */
export async function downloadSelection(page: Page, folder: string, format: 'pst' | 'zip'): Promise<string> {
  await page.getByRole('button', { name: 'Download…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Format' }).selectOption(format);
  await expect(dialog.getByText(/^[\d,]+ items? · about \d/)).toBeVisible();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download now' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
  const path = join(folder, `saved.${format}`);
  await file.saveAs(path);
  return path;
}
