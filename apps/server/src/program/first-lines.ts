import { storeBrand } from '../branding/brands.ts';
import type { Pool } from '../foundation/database.ts';
import type { Settings } from '../foundation/settings.ts';
import { newSetupToken } from '../identity/first-account.ts';
import { DEMONSTRATION } from './demonstration.ts';

/** What the person who started the program reads: where it is, and how to get in. */
export async function firstLines(database: Pool, settings: Settings, publicUrl: string): Promise<string[]> {
  if (settings.KEEPWATCH_MODE === 'start') return demonstrationLines(publicUrl);
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

function demonstrationLines(publicUrl: string): string[] {
  const accounts = DEMONSTRATION.accounts.map(({ username, role }) => `    ${username.padEnd(12)} ${role}`);
  return [
    '',
    `Keepwatch is ready at ${publicUrl}`,
    '',
    `  Sign in with the password ${DEMONSTRATION.password} as`,
    ...accounts,
    '',
    '  The figures come from a sandbox of a Veeam Service Provider Console. Ctrl+C stops everything.',
    '',
  ];
}
