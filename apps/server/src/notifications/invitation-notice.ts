import type { Notification } from '@keepwatch/contract/notifications/notifications';
import { findBrandById } from '../branding/brands.ts';
import { portalAddress } from '../branding/portal-address.ts';
import type { Connection } from '../foundation/database.ts';
import type { Actor } from '../foundation/http/context.ts';

/**
 * What a reseller (sub-sp) sees in the Microsoft 365 application as long as the user has the role (specification "portal", part 4): it is stored
 * nowhere, so that it can be neither acknowledged nor forgotten.
 */
export async function invitationNotice(
  connection: Connection,
  { userId, roles, scope }: Pick<Actor, 'userId' | 'roles' | 'scope'>,
  publicUrl: string,
): Promise<Notification[]> {
  if (!roles.includes('sub-sp')) return [];
  const brand = await findBrandById(connection, scope.providerId);
  if (brand === null) return [];
  const copy = new URL(`/o365/register/${userId}`, portalAddress(publicUrl, brand)).href;
  const message = 'Please invite users to join';
  const shown = { app: 'o365', event: 'sub-sp.invite-users', message, severity: 'info' } as const;
  return [{ _id: userId, userId, ...shown, hideAck: true, hideClose: true, link: null, copy }];
}
