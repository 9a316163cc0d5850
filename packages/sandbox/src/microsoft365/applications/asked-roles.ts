import type { Tenant } from '../tenant.ts';
import { objectOf, objectsOf, textOf } from '../wire/json.ts';
import type { Application, ServicePrincipal } from './application.ts';
import { rolesOfResource, sharePointAppId } from './permissions.ts';

/** An application permission that the registration of an application lists. */
export interface AskedRole {
  id: string;
  name: string;
  /** The name of what it is a permission of. */
  resource: string;
  resourceId: string;
  resourceAppId: string;
  isGranted: boolean;
}

/** What an application asks for. A resource that the tenant has not, and a role that it has not, are passed over. */
export function askedRoles({ applications }: Tenant, { appId, properties }: Application): AskedRole[] {
  const assigned = applications.findPrincipalByAppId(appId)?.assignments ?? [];
  return objectsOf(properties['requiredResourceAccess']).flatMap((resource) => {
    const resourceAppId = textOf(resource['resourceAppId']) ?? '';
    const principal = applications.findPrincipalByAppId(resourceAppId);
    if (principal === undefined) return [];
    return objectsOf(resource['resourceAccess']).flatMap((access): AskedRole[] => {
      const { id: given, type } = objectOf(access);
      const id = textOf(given) ?? '';
      const name = rolesOfResource(resourceAppId).get(id);
      if (type !== 'Role' || name === undefined) return [];
      const isGranted = assigned.some((one) => one.appRoleId === id && one.resourceId === principal.id);
      return [{ id, name, resource: principal.displayName, resourceId: principal.id, resourceAppId, isGranted }];
    });
  });
}

/** Lets an application into a tenant with all that it asks for, as an administrator's consent does. */
export function grantAskedRoles(tenant: Tenant, application: Application): void {
  const principal = ensurePrincipal(tenant, application);
  for (const { id: appRoleId, name, resourceId, resourceAppId, isGranted } of askedRoles(tenant, application)) {
    if (isGranted) continue;
    const createdMs = tenant.nowMs();
    principal.assignments.push({ id: tenant.newId(), appRoleId, createdMs, principalId: principal.id, resourceId });
    if (resourceAppId === sharePointAppId) tenant.applications.giveOfSharePoint(principal.appId, name);
  }
}

function ensurePrincipal({ applications, newId, nowMs }: Tenant, { appId, properties }: Application): ServicePrincipal {
  const known = applications.findPrincipalByAppId(appId);
  if (known !== undefined) return known;
  const displayName = textOf(properties['displayName']) ?? '';
  const principal = { id: newId(), appId, createdMs: nowMs(), displayName, properties: {}, assignments: [] };
  applications.addServicePrincipal(principal);
  return principal;
}
