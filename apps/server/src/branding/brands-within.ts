import type { Brand as ShownBrand } from '@keepwatch/contract/branding/brands';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { settingsOf } from './brand-settings.ts';
import { type Brand, DEFAULT_BRAND } from './brands.ts';

/** Whether the provider runs the installation: those who administer it look after every brand, all others after their own. */
export function runsInstallation(providerId: number): boolean {
  return providerId === DEFAULT_BRAND;
}

/** The condition that limits providers (by their alias) to those that a provider looks after. */
export function providersWithin(providerId: number, alias: string): SQL {
  if (runsInstallation(providerId)) return sql`true`;
  return sql`${sql.identifier(alias)}.id = ${providerId}`;
}

export function nameOfBrand({ providerId }: Scope, _id: SQL, text: SQL): SQL {
  return sql`select p.name from providers p where p.id::text = ${text} and ${providersWithin(providerId, 'p')}`;
}

export async function countBrands(connection: Connection, providerId: number): Promise<number> {
  const found = await row<{ count: number }>(
    connection,
    sql`select count(*) as count from providers p where ${providersWithin(providerId, 'p')}`,
  );
  return found?.count ?? 0;
}

interface BrandWithImages extends Brand {
  hasChatSecret: boolean;
  images: { kind: 'logo' | 'icon'; id: string; width: number; height: number }[];
}

/** The brands that a provider looks after, with their images; with `id` that one alone. */
export async function findBrands(connection: Connection, providerId: number, id?: number): Promise<ShownBrand[]> {
  const found = await rows<BrandWithImages>(
    connection,
    sql`select p.id, p.name, p.domain, p.layout, p.branding, p.chat_secret is not null as "hasChatSecret",
          (select coalesce(json_agg(json_build_object('kind', i.kind, 'id', i.id, 'width', i.width, 'height', i.height)), '[]')
            from brand_images i where i.provider_id = p.id) as images
        from providers p where ${providersWithin(providerId, 'p')} ${id === undefined ? sql`` : sql`and p.id = ${id}`} order by p.id`,
  );
  return found.map(shown);
}

function shown(brand: BrandWithImages): ShownBrand {
  const imageOf = (requested: string) => {
    const image = brand.images.find(({ kind }) => kind === requested);
    return image === undefined ? null : { url: imageAddress(image.id), width: image.width, height: image.height };
  };
  return {
    id: brand.id,
    ...settingsOf(brand),
    logo: imageOf('logo'),
    icon: imageOf('icon'),
    hasChatSecret: brand.hasChatSecret,
  };
}

/** Where everybody gets an image of a brand. */
export function imageAddress(id: string): string {
  return `/api/branding/images/${id}`;
}

/** Reads a brand that a provider looks after for a change, and keeps others from changing it meanwhile. */
export function lockBrand(connection: Connection, providerId: number, id: number): Promise<Brand | null> {
  return row<Brand>(
    connection,
    sql`select p.id, p.name, p.domain, p.layout, p.branding from providers p
        where p.id = ${id} and ${providersWithin(providerId, 'p')} for no key update`,
  );
}
