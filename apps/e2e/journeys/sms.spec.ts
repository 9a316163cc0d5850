import { expect, type Page, test } from '@playwright/test';
import { addUser, demonstration, PASSWORD, sendCredentials, signIn } from '../portal/person.ts';

const USER = 'grace.phone';
const NUMBER = '+15005550142';

/** The code of the last message, as the person reads it on the phone. */
async function readCode(page: Page): Promise<string> {
  const phone = await page.context().newPage();
  await phone.goto(`${process.env['PHONE_URL']}/phone?to=${encodeURIComponent(NUMBER)}`);
  const text = await phone.getByRole('listitem').first().innerText();
  await phone.close();
  return /\d{6}$/.exec(text.trim())?.[0] ?? '';
}

test('a phone is added, and its code ends the sign-in', async ({ page }) => {
  await addUser(USER);
  await signIn(page, USER);

  await page.goto(`${demonstration()}/monitoring/security`);
  await page.getByRole('button', { name: 'Add phone' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Mobile phone' }).fill('+1 500 555 0142');
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(dialog.getByText(/^A code was sent to •+42/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Code' }).fill(await readCode(page));
  await dialog.getByRole('button', { name: 'Add phone' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have stored them' }).click();

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await sendCredentials(page, USER);
  await expect(page.getByRole('textbox', { name: 'Code from your phone' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Code from your phone' }).fill(await readCode(page));
  await page.getByRole('button', { name: 'Log in with this code' }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();
});
