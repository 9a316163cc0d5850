import type { Read, SourceCompany } from '@keepwatch/connectors/ports/backup-source';
import { ROLES, type Role } from '@keepwatch/contract/abilities';
import type { Branding } from '@keepwatch/contract/branding/branding';
import { type Brand, storeBrand } from '../branding/brands.ts';
import type { ConnectionKey } from '../connections/connection-settings.ts';
import { assignCompanies, ensureSubProvider } from '../directory/sub-providers.ts';
import { createUser, findUserByName } from '../directory/users.ts';
import type { Pool } from '../foundation/database.ts';
import { Scope } from '../foundation/scope.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { upsertCompanies } from '../sources/sync/sync-companies.ts';
import { insertHint, readHints } from '../watch/hints.ts';

/** Account that a restore operator role of the connected organization names. */
export const RESTORE_OPERATOR = 'restore';

/** Accounts that exist in demonstration mode only, one a role; the sign-in page lists them there. */
export const DEMONSTRATION: NonNullable<Branding['demonstration']> = {
  password: 'keepwatch-demo',
  accounts: [
    { username: 'operator', role: 'Handles the daily checks' },
    { username: 'reader', role: 'Read-only' },
    { username: 'admin', role: 'Companies, sources, users' },
    { username: 'super', role: 'Super administrator' },
    { username: 'm365', role: 'Microsoft 365 administrator' },
    { username: RESTORE_OPERATOR, role: 'Restores for some people of Contoso' },
    { username: 'reseller', role: 'Only its own companies' },
    { username: 'everything', role: 'All roles' },
  ],
};

const ROLES_OF_ACCOUNT: Readonly<Record<string, readonly Role[]>> = {
  operator: ['operator'],
  reader: ['read-only'],
  admin: ['admin'],
  super: ['super-admin'],
  m365: ['o365_admin'],
  [RESTORE_OPERATOR]: ['restore-operator'],
  reseller: ['sub-sp'],
  // A reseller is limited to its companies, so it is not a user with every ability.
  everything: ROLES.filter((role) => role !== 'sub-sp'),
};

const SUPPORT = {
  request: { enabled: true },
  live: { enabled: true, url: 'https://chat.keepwatch.example/' },
  downloads: { enabled: true, url: 'https://downloads.keepwatch.example/' },
  faq: { enabled: false },
};

const BRANDING: Brand['branding'] = {
  supportEmail: 'support@keepwatch.example',
  supportPhone: '+1 555 0100',
  features: { hints: true, supportSection: { enabled: true, links: SUPPORT } },
};

const BRANDS: readonly Brand[] = [
  { id: 1, name: 'Keepwatch', domain: 'localhost', layout: 'keepwatch', branding: BRANDING },
  { id: 2, name: 'VMO Cloud', domain: 'vmo.localhost', layout: 'vmo', branding: BRANDING },
  { id: 3, name: 'Hunter Tech', domain: 'hunter-tech.localhost', layout: 'hunter-tech', branding: BRANDING },
  { id: 4, name: 'Different Dev', domain: 'different-dev.localhost', layout: 'different-dev', branding: BRANDING },
  { id: 5, name: 'Managecast', domain: 'managecast.localhost', layout: 'managecast', branding: BRANDING },
  { id: 16, name: 'Keepwatch Partner', domain: 'partner.localhost', layout: 'keepwatch', branding: BRANDING },
];

/** The provider whose data the sandbox provides. */
export const DEMONSTRATION_PROVIDER = 1;
const RESELLER = 'Harbour IT Partners';

/** Brands and accounts of the demonstration; what is there already stays as it is. */
export async function ensureDemonstration(database: Pool): Promise<void> {
  const passwordHash = await hashOfPassword(DEMONSTRATION.password);
  for (const brand of BRANDS) {
    await storeBrand(database, brand);
    const subProviderId = await ensureSubProvider(database, brand.id, RESELLER);
    for (const [username, roles] of Object.entries(ROLES_OF_ACCOUNT)) {
      if ((await findUserByName(database, brand.id, username)) !== null) continue;
      await createUser(database, {
        providerId: brand.id,
        username,
        name: nameOf(username),
        email: `${username}@keepwatch.example`,
        passwordHash,
        roles,
        ...(username === 'reseller' ? { subProviderId } : {}),
      });
    }
  }
  await ensureHint(database);
}

const NAMES: Readonly<Record<string, string>> = { m365: 'Microsoft 365 Admin', [RESTORE_OPERATOR]: 'Restore operator' };

function nameOf(username: string): string {
  return NAMES[username] ?? `${username.charAt(0).toUpperCase()}${username.slice(1)}`;
}

/** A hint of the demonstration, so that its screen and its runs show what one is. */
const HINT = {
  title: 'VSS writer not ready',
  text: 'A shadow copy could not be made.\nRestart the writer that the log names, then start the job again.\nhttps://learn.microsoft.com/windows-server/administration/windows-commands/vssadmin-list-writers',
  words: 'vss',
  sourceGroups: [],
  jobTypes: [],
  isActive: true,
};

async function ensureHint(database: Pool): Promise<void> {
  const scope = new Scope(DEMONSTRATION_PROVIDER, null);
  const { count } = await readHints(database, scope, { limit: 1, offset: 0 });
  if (count === 0) await insertHint(database, scope, HINT, new Date());
}

/** Companies of the demonstration that its reseller looks after. */
const RESELLER_COMPANIES = 12;

/** Puts the first companies of a console, by name, under the demonstration's reseller, before they are read for the first time. */
export async function ensureReseller(
  database: Pool,
  source: ConnectionKey,
  companies: AsyncIterable<Read<SourceCompany>>,
): Promise<void> {
  const read: SourceCompany[] = [];
  for await (const company of companies) if ('value' in company) read.push(company.value);
  const first = read.toSorted((one, other) => one.name.localeCompare(other.name)).slice(0, RESELLER_COMPANIES);
  const subProviderId = await ensureSubProvider(database, source.providerId, RESELLER);
  await upsertCompanies(database, source, first);
  await assignCompanies(
    database,
    source,
    subProviderId,
    first.map((company) => company.externalId),
  );
}
