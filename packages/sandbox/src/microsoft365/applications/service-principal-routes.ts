import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest, resourceNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { requireAdministrator } from './administrators.ts';
import type { PermissionGrant, ServicePrincipal } from './application.ts';
import { assignmentsJson, servicePrincipalJson } from './application-json.ts';
import { rolesOfResource, sharePointAppId } from './permissions.ts';

const options = { context: 'servicePrincipals', always: [] };
const one = { context: 'servicePrincipals/$entity', always: [] };
const assignments = { context: 'appRoleAssignments' };
const grants = { context: 'oauth2PermissionGrants' };

const principalOf = (call: GraphCall) => call.tenant.applications.servicePrincipal(call.params['principal'] ?? '');

function listPrincipals(call: GraphCall): GraphReply {
  const { applications } = call.tenant;
  const known = [...applications.servicePrincipals.values()].filter(({ id }) => !applications.isReplicating(id));
  return collectionReply(call, known.map(servicePrincipalJson), options);
}

function createPrincipal(call: GraphCall): GraphReply {
  const { tenant } = call;
  const { appId: asked, ...properties } = objectOf(call.body);
  const appId = textOf(asked) ?? '';
  const application = tenant.applications.findByAppId(appId);
  if (!application || tenant.applications.isReplicating(application.id)) {
    throw badRequest(
      `When using this permission, the backing application of the service principal being created must in the local tenant: ${appId}.`,
      'Request_BadRequest',
    );
  }
  if (tenant.applications.findPrincipalByAppId(appId)) {
    throw new GraphError(
      409,
      'Request_MultipleObjectsWithSameKeyValue',
      `The service principal for ${appId} is already in use.`,
    );
  }
  const displayName = textOf(application.properties['displayName']) ?? '';
  const principal: ServicePrincipal = {
    id: tenant.newId(),
    appId,
    createdMs: tenant.nowMs(),
    displayName,
    properties,
    assignments: [],
  };
  tenant.applications.addServicePrincipal(principal);
  return entityReply(call, servicePrincipalJson(principal), one, 201);
}

function getByAppId(call: GraphCall): GraphReply {
  const appId = call.params['appId'] ?? '';
  const principal = call.tenant.applications.findPrincipalByAppId(appId);
  if (!principal || call.tenant.applications.isReplicating(principal.id)) throw resourceNotFound(appId);
  return entityReply(call, servicePrincipalJson(principal), one);
}

function patchPrincipal(call: GraphCall): GraphReply {
  const principal = principalOf(call);
  principal.properties = { ...principal.properties, ...objectOf(call.body) };
  return { status: 204 };
}

function deletePrincipal(call: GraphCall): GraphReply {
  call.tenant.applications.servicePrincipals.delete(principalOf(call).id);
  return { status: 204 };
}

/** Consent by an administrator to one application permission. */
function assign(call: GraphCall): GraphReply {
  const { tenant } = call;
  requireAdministrator(call);
  const { principalId, resourceId, appRoleId } = objectOf(call.body);
  const principal = tenant.applications.servicePrincipal(textOf(principalId) ?? '');
  const resource = tenant.applications.servicePrincipal(textOf(resourceId) ?? '');
  const role = textOf(appRoleId) ?? '';
  const name = rolesOfResource(resource.appId).get(role);
  if (name === undefined) {
    throw badRequest(`Permission being assigned was not found on application: ${role}`, 'Request_BadRequest');
  }
  if (
    principal.assignments.some((assignment) => assignment.appRoleId === role && assignment.resourceId === resource.id)
  ) {
    throw badRequest('Permission being assigned already exists on the object', 'InvalidUpdate');
  }
  const createdMs = tenant.nowMs();
  principal.assignments.push({
    id: tenant.newId(),
    appRoleId: role,
    createdMs,
    principalId: principal.id,
    resourceId: resource.id,
  });
  if (resource.appId === sharePointAppId) tenant.applications.giveOfSharePoint(principal.appId, name);
  const entity = assignmentsJson(tenant.applications, principal).at(-1) ?? {};
  return entityReply(call, entity, { context: 'appRoleAssignments/$entity' }, 201);
}

function unassign(call: GraphCall): GraphReply {
  const id = call.params['assignment'] ?? '';
  const holder = call.tenant.applications.servicePrincipals
    .values()
    .find((principal) => principal.assignments.some((assignment) => assignment.id === id));
  if (!holder) throw resourceNotFound(id);
  holder.assignments = holder.assignments.filter((assignment) => assignment.id !== id);
  return { status: 204 };
}

function listAssigned(call: GraphCall): GraphReply {
  const { applications } = call.tenant;
  const resource = principalOf(call);
  const all = [...applications.servicePrincipals.values()].flatMap((each) => assignmentsJson(applications, each));
  const toThis = all.filter(({ resourceId }) => resourceId === resource.id);
  return collectionReply(call, toThis, assignments);
}

function grantJson(grant: PermissionGrant): JsonObject {
  return { ...grant };
}

function createGrant(call: GraphCall): GraphReply {
  const { tenant } = call;
  const body = objectOf(call.body);
  const client = tenant.applications.servicePrincipal(textOf(body['clientId']) ?? '');
  const grant: PermissionGrant = {
    id: tenant.newId(),
    clientId: client.id,
    consentType: textOf(body['consentType']) ?? 'AllPrincipals',
    principalId: textOf(body['principalId']) ?? null,
    resourceId: tenant.applications.servicePrincipal(textOf(body['resourceId']) ?? '').id,
    scope: textOf(body['scope']) ?? '',
  };
  tenant.applications.grants.set(grant.id, grant);
  return entityReply(call, grantJson(grant), { context: 'oauth2PermissionGrants/$entity' }, 201);
}

const permissions = ['Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy', 'Directory.ReadWrite.All'];
const readPermissions = ['Application.Read.All', 'Directory.Read.All', ...permissions];
const consentPermissions = ['AppRoleAssignment.ReadWrite.All'];
const grantPermissions = ['DelegatedPermissionGrant.ReadWrite.All', 'Directory.ReadWrite.All'];
const base = '/servicePrincipals';
const principal = `${base}/{principal}`;

export const servicePrincipalRoutes: readonly GraphRoute[] = [
  { method: 'GET', path: base, permissions: readPermissions, handle: listPrincipals },
  { method: 'POST', path: base, permissions, handle: createPrincipal },
  { method: 'GET', path: `${base}(appId='{appId}')`, permissions: readPermissions, handle: getByAppId },
  {
    method: 'GET',
    path: principal,
    permissions: readPermissions,
    handle: (call) => entityReply(call, servicePrincipalJson(principalOf(call)), one),
  },
  { method: 'PATCH', path: principal, permissions, handle: patchPrincipal },
  { method: 'DELETE', path: principal, permissions, handle: deletePrincipal },
  {
    method: 'GET',
    path: `${principal}/appRoleAssignments`,
    permissions: readPermissions,
    handle: (call) => collectionReply(call, assignmentsJson(call.tenant.applications, principalOf(call)), assignments),
  },
  { method: 'POST', path: `${principal}/appRoleAssignments`, permissions: consentPermissions, handle: assign },
  {
    method: 'DELETE',
    path: `${principal}/appRoleAssignments/{assignment}`,
    permissions: consentPermissions,
    handle: unassign,
  },
  { method: 'GET', path: `${principal}/appRoleAssignedTo`, permissions: readPermissions, handle: listAssigned },
  { method: 'POST', path: `${principal}/appRoleAssignedTo`, permissions: consentPermissions, handle: assign },
  {
    method: 'GET',
    path: '/oauth2PermissionGrants',
    permissions: readPermissions,
    handle: (call) => collectionReply(call, [...call.tenant.applications.grants.values()].map(grantJson), grants),
  },
  { method: 'POST', path: '/oauth2PermissionGrants', permissions: grantPermissions, handle: createGrant },
];
