import { findBrandById } from '../../branding/brands.ts';
import { portalAddress } from '../../branding/portal-address.ts';
import type { Connection } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';

/** For whom passkeys are made, and where they count. */
export interface RelyingParty {
  id: string;
  name: string;
  origin: string;
}

/** A provider as the party of passkeys: the address of its portal as it is set, never as a request says it. */
export async function relyingPartyOf(
  connection: Connection,
  publicUrl: string,
  providerId: number,
): Promise<RelyingParty> {
  const brand = await findBrandById(connection, providerId);
  if (brand === null) throw notFound('brand');
  const { hostname: id, origin } = new URL(portalAddress(publicUrl, brand));
  return { id, origin, name: brand.name };
}
