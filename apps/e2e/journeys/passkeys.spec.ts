import { expect, type Page, test } from '@playwright/test';
import { addUser, demonstration, PASSWORD, sendCredentials, signIn } from '../portal/person.ts';

const USER = 'grace.passkey';

/** A device that makes and uses passkeys, as one with a fingerprint reader does. */
async function addDevice(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
}

const isIn = (page: Page) => expect(page.getByRole('navigation').first()).toBeVisible();

test('a passkey is added, signs in alone and after the password, and is removed', async ({ page }) => {
  await addUser(USER);
  await addDevice(page);
  await signIn(page, USER);

  await page.goto(`${demonstration()}/monitoring/security`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await expect(page.getByText('Laptop', { exact: true })).toBeVisible();

  await signOut(page);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await isIn(page);

  await signOut(page);
  await sendCredentials(page, USER);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await isIn(page);

  await page.goto(`${demonstration()}/monitoring/security`);
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toHaveCount(0);
});
