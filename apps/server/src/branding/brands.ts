import { accentShades } from '@keepwatch/contract/branding/accents';
import type { Branding } from '@keepwatch/contract/branding/branding';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../foundation/database.ts';
import { insert } from '../foundation/table-writes.ts';
import { type OwnBranding, providers } from './tables.ts';

/** Version of the application; a browser with another one signs out and reloads. */
export const VERSION = '2.2.14';

/** The providers, for what is below one: companies, resellers. */
export const PROVIDERS = providers;

/** Begins a change of which a provider has one at a time, until the end of the transaction. */
export function lockProvider(connection: Connection, providerId: number): Promise<unknown> {
  return execute(connection, sql`select from providers where id = ${providerId} for no key update`);
}

/** The brand for hosts without a provider: that of who runs the installation. */
export const DEFAULT_BRAND = 1;

export interface Brand {
  id: number;
  name: string;
  domain: string;
  layout: Branding['layout'];
  branding: OwnBranding;
}

/** The brand of a host name, or the default one. `null` only before the first brand exists. */
export function findBrand(connection: Connection, host: string): Promise<Brand | null> {
  // A name may end with the dot of the root, and is the same one.
  const domain = host.replace(/\.$/, '');
  return row<Brand>(
    connection,
    sql`select id, name, domain, layout, branding from providers
        where domain = lower(${domain}) or id = ${DEFAULT_BRAND} order by (domain = lower(${domain})) desc limit 1`,
  );
}

/** What the page of a host has of its brand, and what of other hosts it may load. */
export async function brandOfHost(connection: Connection, host: string) {
  const brand = await findBrand(connection, host);
  if (brand === null) return null;
  const { title, layout, favIconUrl, trackingUrl, features } = presentBrand(brand);
  const { enabled, links } = features.supportSection;
  const frame = enabled && links.live.enabled ? links.live.url : undefined;
  return { title, layout, favIconUrl, outside: { frame, script: trackingUrl ?? undefined } };
}

/** The brand of a provider. */
export function findBrandById(connection: Connection, id: number): Promise<Brand | null> {
  return row<Brand>(connection, sql`select id, name, domain, layout, branding from providers where id = ${id}`);
}

/** Creates a brand or sets it right; seeds and the first start of an installation. */
export async function storeBrand(connection: Connection, brand: Brand): Promise<void> {
  await insert(connection, providers, brand, sql`on conflict (id) do nothing`);
}

const NO_LINK = { enabled: false };

/** What a brand does not say of itself: how its users sign in. */
export type SignInWays = Pick<Branding, 'demonstration' | 'identityProviders' | 'hasPasswords'>;
const PASSWORDS_ALONE: SignInWays = { demonstration: null, identityProviders: [], hasPasswords: true };

/** What leaves of a brand: its own settings over the defaults. */
export function presentBrand(brand: Brand, signInWays: SignInWays = PASSWORDS_ALONE): Branding {
  const { features, accent = null, ...own } = brand.branding;
  return {
    title: brand.name,
    favIconUrl: null,
    sidebarLogoUrl: null,
    sidebarLogoWidth: null,
    sidebarLogoHeight: null,
    sidebarTitle: brand.name,
    supportEmail: null,
    supportPhone: null,
    trackingUrl: null,
    authType: 'db',
    isStripeEnabled: false,
    features: {
      rules: false,
      hints: false,
      reporting: { enabled: true, visibleFor: ['all'] },
      supportSection: { enabled: false, links: { request: NO_LINK, live: NO_LINK, downloads: NO_LINK, faq: NO_LINK } },
      footer: true,
      socialMedia: { enabled: false, settings: { links: [] } },
      invoice_automation: false,
      billing: { ccCollection: false },
      ...features,
    },
    ...own,
    id: brand.id,
    name: brand.name,
    domain: brand.domain,
    layout: brand.layout,
    accentShades: [...accentShades({ accent, layout: brand.layout })],
    ...signInWays,
    version: VERSION,
  };
}
