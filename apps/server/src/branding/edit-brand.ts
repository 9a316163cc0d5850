import type { BrandSettings } from '@keepwatch/contract/branding/brands';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../foundation/database.ts';
import { invalid } from '../foundation/errors.ts';
import { update } from '../foundation/table-writes.ts';
import { ownBrandingOf, settingsOf } from './brand-settings.ts';
import type { Brand } from './brands.ts';
import { lockBrand, runsInstallation } from './brands-within.ts';
import { providers } from './tables.ts';

/** Any number that no other lock uses: host names are given out one after the other. */
const LOCK = 7_305_131;

/** Sets everything of a brand but its images. Gives what it was and is; `null` where the provider has no such brand. */
export async function editBrand(
  connection: Connection,
  providerId: number,
  id: number,
  settings: BrandSettings,
): Promise<{ before: BrandSettings; after: BrandSettings } | null> {
  const brand = await lockBrand(connection, providerId, id);
  if (brand === null) return null;
  if (settings.domain !== brand.domain) await requireFreeDomain(connection, providerId, settings.domain);
  const { name, domain, layout } = settings;
  // Images have changes of their own.
  const branding = sql`branding || ${JSON.stringify(ownBrandingOf(settings))}::jsonb`;
  await update(connection, providers, { name, domain, layout, branding }, { id });
  return { before: settingsOf(brand), after: settings };
}

/**
 * Throws where a brand cannot have a host name. Only who runs the installation gives them out: whose brand has a name gets the passwords
 * that people enter there, and the portal's own name may be that of no brand.
 */
async function requireFreeDomain(connection: Connection, providerId: number, domain: string): Promise<void> {
  if (!runsInstallation(providerId))
    throw refusedDomain('Only administrators of this installation can change the host name.');
  await execute(connection, sql`select pg_advisory_xact_lock(${LOCK})`);
  const owner = await row<Pick<Brand, 'name'>>(
    connection,
    sql`select name from providers where lower(domain) = ${domain}`,
  );
  if (owner !== null) throw refusedDomain(`${domain} is the host name of the brand ${owner.name}. Choose another.`);
}

function refusedDomain(message: string) {
  return invalid([{ path: 'body.domain', message }], 'The brand was not saved.');
}
