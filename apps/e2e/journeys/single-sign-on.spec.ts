import { startOpenIdProvider } from '@keepwatch/connectors/testing/openid-provider';
import { expect, test } from '@playwright/test';
import { connectIdentityProvider, enterAs, redirectAddress } from '../portal/person.ts';

test('a person signs in with the account of another system, once its groups give a role', async ({ browser, page }) => {
  const address = await redirectAddress();
  const provider = await startOpenIdProvider({ redirectAddresses: [address] });
  const disconnect = await connectIdentityProvider('Contoso', provider.settings());
  provider.person = { sub: 'ada', name: 'Ada Lovelace', groups: ['Technicians'] };
  const visitor = await (await browser.newContext()).newPage();
  try {
    await visitor.goto(new URL('/login?next=%2Fmonitoring%2Fprofile', address).href);
    await visitor.getByRole('button', { name: 'Log in with Contoso' }).click();
    await expect(visitor.getByRole('alert')).toHaveText(/None of your groups at Contoso gives access/);

    await enterAs(page, 'super');
    await page.goto(new URL('/admin/sign-in', process.env['PORTAL_URL']).href);
    await page.getByRole('button', { name: 'Groups of Contoso' }).click();
    await page.getByLabel('Group', { exact: true }).fill('Technicians');
    await page.getByRole('checkbox', { name: 'Operator', exact: true }).check();
    await page.getByRole('button', { name: 'Save groups' }).click();
    await expect(page.getByText('1 group', { exact: true })).toBeVisible();

    await visitor.getByRole('link', { name: 'Back to sign-in' }).click();
    await visitor.getByRole('button', { name: 'Log in with Contoso' }).click();
    await expect(visitor.getByRole('button', { name: 'Account of Ada Lovelace' })).toBeVisible();
  } finally {
    await disconnect();
    await provider.stop();
  }
});
