import { listCompanies } from '@keepwatch/contract/directory/companies';
import type { Preferences } from '@keepwatch/contract/identity/preferences';
import { editProfile, signIn as signInCall, type Theme } from '@keepwatch/contract/identity/sessions';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import { expect, type Page } from '@playwright/test';

/** Password of every user of the demonstration. */
const PASSWORD = 'keepwatch-demo';

/** Addresses of the two portals (see global-setup.ts). */
export const demonstration = () => process.env['PORTAL_URL'] ?? '';
export const huge = () => process.env['HUGE_PORTAL_URL'] ?? '';

/** Creates a token for the first company of the demonstration: it begins without one. */
export async function createToken(name: string): Promise<void> {
  const anonymous: Transport = { fetch, origin: demonstration(), token: () => null };
  const { token } = await request(anonymous, signInCall, { body: { username: 'everything', password: PASSWORD } });
  const transport: Transport = { ...anonymous, token: () => token };
  const { data } = await request(transport, listCompanies, { query: { limit: 1 } });
  await request(transport, createIntakeToken, { body: { name, companyId: data[0]?._id ?? '' } });
}

/** Stores a colour scheme with a user of the demonstration, as the button in the header does; gives the one before. */
export async function chooseScheme(username: string, mode: Theme['mode']): Promise<Theme['mode']> {
  return (await changeProfile(username, { theme: { mode } })).theme.mode;
}

/** Gives a user the first filters again: the portal stores what a journey chooses, and the next one begins with it. */
export async function resetFilters(username: string): Promise<void> {
  await changeProfile(username, { preferences: { 'daily-checks.filters': {} } });
}

/** Changes the profile of a user of the demonstration; gives the user as it was. */
async function changeProfile(username: string, body: { theme?: Partial<Theme>; preferences?: Preferences }) {
  const anonymous: Transport = { fetch, origin: demonstration(), token: () => null };
  const { token, user } = await request(anonymous, signInCall, { body: { username, password: PASSWORD } });
  const transport: Transport = { ...anonymous, token: () => token };
  await request(transport, editProfile, { params: { id: user.id }, body });
  return user;
}

/** Signs in through the page, as a person does, and waits for the first screen. */
export async function signIn(
  page: Page,
  username: string,
  password = PASSWORD,
  origin = demonstration(),
): Promise<void> {
  await sendCredentials(page, username, password, origin);
  await expect(page.getByRole('navigation').first()).toBeVisible();
}

/** Fills in the page for signing in and sends it. */
export async function sendCredentials(
  page: Page,
  username: string,
  password = PASSWORD,
  origin = demonstration(),
): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByRole('textbox', { name: 'User name' }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Opens a screen and waits until nothing is being loaded any more. */
export async function open(page: Page, path: string, origin = demonstration()): Promise<void> {
  await page.goto(origin + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}
