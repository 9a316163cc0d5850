import { listCompanies } from '@keepwatch/contract/companies/companies';
import { createConnection, deleteConnection } from '@keepwatch/contract/connections/connections';
import { createUser } from '@keepwatch/contract/directory/users';
import { listIdentityProviders } from '@keepwatch/contract/identity/identity-providers';
import { setPasswordByLink } from '@keepwatch/contract/identity/passwords';
import {
  editProfile,
  type SignedIn,
  sessionOf as signedInOf,
  signIn as signInCall,
} from '@keepwatch/contract/identity/sessions';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import { expect, type Page } from '@playwright/test';

/** Password of every user of the demonstration. */
export const PASSWORD = 'keepwatch-demo';

/** Addresses of the two portals (see global-setup.ts). */
export const demonstration = () => process.env['PORTAL_URL'] ?? '';
export const huge = () => process.env['HUGE_PORTAL_URL'] ?? '';

/** Creates a token for the first company of the demonstration: it begins without one. */
export async function createToken(name: string): Promise<void> {
  const { token } = await sessionOf('everything');
  const transport: Transport = { fetch, origin: demonstration(), token: () => token };
  const { data } = await request(transport, listCompanies, { query: { limit: 1 } });
  await request(transport, createIntakeToken, { body: { name, companyId: data[0]?._id ?? '' } });
}

/** Adds a user of the provider, who has chosen the password of all others. */
export async function addUser(username: string): Promise<void> {
  const { token } = await sessionOf('everything');
  const transport: Transport = { fetch, origin: demonstration(), token: () => token };
  const account = { username, name: username, email: `${username}@example.com`, companyIds: null };
  const { invitation } = await request(transport, createUser, { body: { ...account, roles: ['operator'] } });
  const hash = new URL(invitation.link).searchParams.get('hash') ?? '';
  await request(transport, setPasswordByLink, { body: { hash, password: PASSWORD } });
}

const asSuper = async (): Promise<Transport> => {
  const { token } = await sessionOf('super');
  return { fetch, origin: demonstration(), token: () => token };
};

/** Where an identity provider sends browsers back to the demonstration. */
export async function redirectAddress(): Promise<string> {
  return (await request(await asSuper(), listIdentityProviders, {})).redirectAddress;
}

/** Connects an identity provider, and gives how to disconnect it. */
export async function connectIdentityProvider(
  name: string,
  settings: Record<string, string>,
): Promise<() => Promise<unknown>> {
  const transport = await asSuper();
  const body = { port: 'identity-provider', kind: 'openid-connect', name, settings };
  const { data } = await request(transport, createConnection, { body });
  return () => request(transport, deleteConnection, { params: { id: data._id } });
}

/** Gives a user the first filters again: the portal stores what a journey chooses, and who signs in by hand begins with it. */
export async function resetFilters(username: string): Promise<void> {
  const { token, user } = await sessionOf(username);
  const transport: Transport = { fetch, origin: demonstration(), token: () => token };
  const preferences = { 'daily-checks.filters': {} };
  await request(transport, editProfile, { params: { id: user.id }, body: { preferences } });
}

/** Those that were opened by this process, by user. */
const sessions = new Map<string, Promise<SignedIn>>();

/** A session of a user of the demonstration, opened once for all journeys of this process. */
export function sessionOf(username: string, origin = demonstration()): Promise<SignedIn> {
  const anonymous: Transport = { fetch, origin, token: () => null };
  const signIn = () => request(anonymous, signInCall, { body: { username, password: PASSWORD } }).then(signedInOf);
  const key = `${username} at ${origin}`;
  const session = sessions.get(key) ?? signIn();
  sessions.set(key, session);
  return session;
}

/** Where the browser stores a session, and that the prompt to make the first organization was answered. */
export const SESSION_KEY = 'keepwatch.session';
export const PROMPT_KEY = 'keepwatch.o365-prompt-dismissed';

/** A session as the browser stores it, of a user who has chosen nothing yet: neither filters nor a colour scheme. */
export function storedSession({ token, user }: SignedIn): string {
  const chosen = { theme: { ...user.theme, mode: 'auto' }, preferences: {} };
  return JSON.stringify({ token, user: { ...user, ...chosen } });
}

/**
 * Gives the page a session, as the page for signing in would, for a journey that is not about that: it saves two screens. The user is one
 * who has chosen nothing yet, whatever other journeys have stored with the account, and who was prompted to make the first organization
 * already: the prompt comes half a second after a screen, over whatever a journey does by then.
 */
export async function enterAs(page: Page, username: string, { isPrompted = false } = {}): Promise<void> {
  const value = storedSession(await sessionOf(username));
  await page.addInitScript(
    ({ origin, key, value, dismissed }) => {
      if (location.origin !== origin) return;
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
      if (dismissed !== null) sessionStorage.setItem(dismissed, 'true');
    },
    { origin: demonstration(), key: SESSION_KEY, value, dismissed: isPrompted ? null : PROMPT_KEY },
  );
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
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Opens a screen and waits until nothing is being loaded any more. */
export async function open(page: Page, path: string, origin = demonstration()): Promise<void> {
  await page.goto(origin + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}
