import { RETURN_PATH } from '@keepwatch/contract/identity/single-sign-on';
import { findBrandById } from '../../branding/brands.ts';
import { portalAddress } from '../../branding/portal-address.ts';
import type { Connection } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';

/** Where an identity provider sends browsers back: the address of the brand as it is set, never as a request says it. */
export async function redirectAddressOf(
  connection: Connection,
  publicUrl: string,
  providerId: number,
): Promise<string> {
  const brand = await findBrandById(connection, providerId);
  if (brand === null) throw notFound('brand');
  return new URL(RETURN_PATH, portalAddress(publicUrl, brand)).href;
}
