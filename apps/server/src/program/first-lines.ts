import { storeBrand } from '../branding/brands.ts';
import type { Pool } from '../foundation/database.ts';
import type { Settings } from '../foundation/settings.ts';
import { newSetupToken } from '../identity/first-account.ts';
import { DEMONSTRATION } from './demonstration.ts';

/** What the person who started the program reads: where it is, and how to get in. */
export async function firstLines(database: Pool, settings: Settings, publicUrl: string): Promise<string[]> {
  if (settings.KEEPWATCH_MODE === 'start') return demonstrationLines(publicUrl, settings);
  await storeBrand(database, {
    id: 1,
    name: 'Keepwatch',
    domain: new URL(publicUrl).hostname,
    layout: 'keepwatch',
    branding: {},
  });
  const token = await newSetupToken(database);
  if (token === null) return ['', `Keepwatch is ready at ${publicUrl}`, ''];
  return ['', `Keepwatch is ready. Create its first account, once, at ${publicUrl}/setup/${token}`, ''];
}

function demonstrationLines(publicUrl: string, settings: Settings): string[] {
  const accounts = DEMONSTRATION.accounts.map(({ username, role }) => `    ${username.padEnd(12)} ${role}`);
  return [
    '',
    `Keepwatch is ready at ${publicUrl}`,
    '',
    `  Sign in with the password ${DEMONSTRATION.password} as`,
    ...accounts,
    '',
    '  The figures come from a sandbox of a Veeam Service Provider Console. Ctrl+C stops everything.',
    ...tenantLines(settings),
    ...phoneLines(settings),
    '',
  ];
}

/** How the second tenant is connected: its administrator signs in at the page of the sandbox, with no password. */
function tenantLines({ MICROSOFT_LOGIN_URL, SANDBOX_TENANT_PORT }: Settings): string[] {
  if (SANDBOX_TENANT_PORT === 0) return [];
  return [
    '',
    '  Microsoft 365 is a sandbox, too. Contoso is backed up every night; its last three weeks are there a minute after the first start.',
    `  Fabrikam is still to be connected, as m365: enter the code of the wizard at ${MICROSOFT_LOGIN_URL}/devicelogin`,
    '  and choose the account that is marked as administrator of Fabrikam. No password is asked for.',
  ];
}

/** Where the messages are read that the demonstration sends. */
function phoneLines({ SANDBOX_SMS_PORT }: Settings): string[] {
  if (SANDBOX_SMS_PORT === 0) return [];
  const phone = `http://127.0.0.1:${SANDBOX_SMS_PORT}/__sandbox/phone`;
  return [
    '',
    `  Codes by SMS go to a sandbox: whatever number you add on your security page, its messages are at ${phone}`,
  ];
}
