import type { JsonObject } from '../wire/json.ts';
import type { Drive } from './drive.ts';
import type { DriveItem } from './items/drive-item.ts';
import { pathOf } from './items/drive-item.ts';
import type { Grantee, Permission } from './permission.ts';

/** A permission together with the item it is set on. */
export interface EffectivePermission {
  permission: Permission;
  holder: DriveItem;
}

/** The permissions that apply to an item: its own, then those of its folders as far as they are inherited. */
export function permissionsOf(item: DriveItem): EffectivePermission[] {
  const own = item.permissions.map((permission) => ({ permission, holder: item }));
  return item.parent && item.inheritsPermissions ? [...own, ...permissionsOf(item.parent)] : own;
}

/** The `permission` of the wire, as seen at an item. */
export function permissionEntity({ permission, holder }: EffectivePermission, drive: Drive, at: DriveItem): JsonObject {
  const { link, grantedTo, invitation, expirationDateTime } = permission;
  return {
    id: permission.id,
    roles: permission.roles,
    ...(grantedTo && { grantedToV2: identityOf(grantedTo) }),
    ...(grantedTo?.kind === 'user' && { grantedTo: { user: plain(grantedTo) } }),
    ...(link && { link, shareId: shareIdOf(link.webUrl), ...recipientsOf(permission) }),
    ...(invitation && { invitation }),
    ...(expirationDateTime !== undefined && { expirationDateTime }),
    ...(link && { hasPassword: permission.hasPassword }),
    ...(holder !== at && { inheritedFrom: reference(drive, holder) }),
  };
}

function recipientsOf({ recipients }: Permission): JsonObject {
  return {
    grantedToIdentitiesV2: recipients.map(identityOf),
    grantedToIdentities: recipients.filter(({ kind }) => kind === 'user').map((user) => ({ user: plain(user) })),
  };
}

function identityOf(grantee: Grantee): JsonObject {
  const { kind, loginName } = grantee;
  if (kind === 'siteGroup') return { siteGroup: { ...plain(grantee), loginName: loginName ?? grantee.displayName } };
  return { [kind]: plain(grantee), ...(loginName !== undefined && { siteUser: { ...plain(grantee), loginName } }) };
}

const plain = ({ id, displayName }: Grantee) => ({ id, displayName });

/** A share's id is its URL in Base64, as the vendor documents. */
const shareIdOf = (webUrl: string) => `u!${Buffer.from(webUrl).toString('base64url')}`;

function reference(drive: Drive, holder: DriveItem): JsonObject {
  const { id: driveId, driveType } = drive.facts;
  return { driveId, driveType, id: holder.id, path: `/drives/${driveId}/root:${pathOf(holder)}` };
}
