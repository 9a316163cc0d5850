import type { Person } from '../drives/identity-set.ts';
import type { Permission } from '../drives/permission.ts';
import type { Site } from './site.ts';

const groups = [
  ['3', 'Owners', 'owner'],
  ['5', 'Members', 'write'],
  ['4', 'Visitors', 'read'],
] as const;

/** The permissions of a whole library: its owner in a personal site, and the site's three groups in all others. */
export function libraryPermissions(site: Site, owner: Person | undefined): Permission[] {
  if (site.isPersonal && owner) {
    const loginName = `i:0#.f|membership|${owner.userPrincipalName}`;
    const { id, displayName } = owner;
    return [permission(loginName, 'owner', { kind: 'user', id, displayName, loginName })];
  }
  return groups.map(([id, name, role]) => {
    const displayName = `${site.facts.displayName} ${name}`;
    return permission(displayName, role, { kind: 'siteGroup', id, displayName, loginName: displayName });
  });
}

function permission(name: string, role: string, grantedTo: Permission['grantedTo']): Permission {
  const id = Buffer.from(name).toString('base64url');
  return { id, roles: [role], ...(grantedTo && { grantedTo }), recipients: [], hasPassword: false };
}
