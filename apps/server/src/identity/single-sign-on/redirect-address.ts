import { RETURN_PATH } from '@keepwatch/contract/identity/single-sign-on';
import { findBrandById } from '../../branding/brands.ts';
import { portalAddress } from '../../branding/portal-address.ts';
import type { Connection } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';

/** Where an identity provider sends browsers back after a sign-in. */
export function redirectAddressOf(connection: Connection, publicUrl: string, providerId: number): Promise<string> {
  return brandAddressOf(connection, publicUrl, providerId, RETURN_PATH);
}

/** The address of a page of a brand: as it is set, never as a request says it. */
export async function brandAddressOf(
  connection: Connection,
  publicUrl: string,
  providerId: number,
  path: string,
): Promise<string> {
  const brand = await findBrandById(connection, providerId);
  if (brand === null) throw notFound('brand');
  return new URL(path, portalAddress(publicUrl, brand)).href;
}
