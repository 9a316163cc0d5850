import { findBrand } from '../branding/brands.ts';
import { notFound } from '../foundation/errors.ts';
import type { PublicContext } from '../foundation/http/context.ts';

/** The provider at whose address a request without a session arrives. */
export async function providerOf({ database, host }: PublicContext): Promise<number> {
  const brand = await findBrand(database, host);
  if (brand === null) throw notFound('brand');
  return brand.id;
}
