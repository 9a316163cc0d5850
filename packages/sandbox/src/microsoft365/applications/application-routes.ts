import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest, resourceNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { requireAdministrator } from './administrators.ts';
import type { Application } from './application.ts';
import { applicationJson, keyCredentialJson, passwordJson } from './application-json.ts';
import { checkPossession, newPassword, readKeyCredential, replaceKeyCredentials } from './credentials.ts';

const options = { context: 'applications', always: [] };
const one = { context: 'applications/$entity', always: [] };

const applicationOf = (call: GraphCall) => call.tenant.applications.application(call.params['application'] ?? '');

/** What a request may set besides keys and passwords, which have calls of their own. */
function propertiesOf(body: unknown): JsonObject {
  const {
    id: _id,
    appId: _appId,
    keyCredentials: _keys,
    passwordCredentials: _passwords,
    ...properties
  } = objectOf(body);
  return properties;
}

function listApplications(call: GraphCall): GraphReply {
  const { applications } = call.tenant;
  const known = [...applications.applications.values()].filter(({ id }) => !applications.isReplicating(id));
  return collectionReply(call, known.map(applicationJson), options);
}

function createApplication(call: GraphCall): GraphReply {
  requireAdministrator(call);
  const { tenant } = call;
  const body = objectOf(call.body);
  if (!textOf(body['displayName'])) throw badRequest('Property displayName is required.', 'Request_BadRequest');
  const blank: Application = {
    id: tenant.newId(),
    appId: tenant.newId(),
    createdMs: tenant.nowMs(),
    keyCredentials: [],
    passwordCredentials: [],
    properties: propertiesOf(body),
  };
  const application = { ...blank, keyCredentials: replaceKeyCredentials(tenant, blank, body['keyCredentials']) };
  tenant.applications.addApplication(application);
  return entityReply(call, applicationJson(application), one, 201);
}

function patchApplication(call: GraphCall): GraphReply {
  requireAdministrator(call);
  const application = applicationOf(call);
  const body = objectOf(call.body);
  application.properties = { ...application.properties, ...propertiesOf(body) };
  if ('keyCredentials' in body) {
    application.keyCredentials = replaceKeyCredentials(call.tenant, application, body['keyCredentials']);
  }
  return { status: 204 };
}

function deleteApplication(call: GraphCall): GraphReply {
  requireAdministrator(call);
  const application = applicationOf(call);
  const { applications } = call.tenant;
  applications.applications.delete(application.id);
  const principal = applications.findPrincipalByAppId(application.appId);
  if (principal) applications.servicePrincipals.delete(principal.id);
  return { status: 204 };
}

function addKey(call: GraphCall): GraphReply {
  const application = applicationOf(call);
  const body = objectOf(call.body);
  checkPossession(application, body['proof'], call.tenant.nowMs());
  const credential = readKeyCredential(call.tenant, body['keyCredential']);
  application.keyCredentials = [...application.keyCredentials, credential];
  return entityReply(call, keyCredentialJson(credential), { context: 'microsoft.graph.keyCredential', always: [] });
}

function removeKey(call: GraphCall): GraphReply {
  const application = applicationOf(call);
  const body = objectOf(call.body);
  checkPossession(application, body['proof'], call.tenant.nowMs());
  application.keyCredentials = without(application.keyCredentials, body['keyId']);
  return { status: 204 };
}

function addPassword(call: GraphCall): GraphReply {
  const application = applicationOf(call);
  const credential = newPassword(call.tenant, isObject(call.body) ? call.body['passwordCredential'] : undefined);
  application.passwordCredentials = [...application.passwordCredentials, credential];
  return entityReply(call, passwordJson(credential, true), {
    context: 'microsoft.graph.passwordCredential',
    always: [],
  });
}

function removePassword(call: GraphCall): GraphReply {
  const application = applicationOf(call);
  application.passwordCredentials = without(application.passwordCredentials, objectOf(call.body)['keyId']);
  return { status: 204 };
}

function without<T extends { keyId: string }>(credentials: readonly T[], keyId: unknown): T[] {
  const remaining = credentials.filter((credential) => credential.keyId !== keyId);
  if (remaining.length < credentials.length) return remaining;
  throw badRequest(`No credential found to be removed with key ${String(keyId)}.`, 'Request_BadRequest');
}

function getByAppId(call: GraphCall): GraphReply {
  const appId = call.params['appId'] ?? '';
  const application = call.tenant.applications.findByAppId(appId);
  if (!application) throw resourceNotFound(appId);
  return entityReply(call, applicationJson(call.tenant.applications.application(application.id)), one);
}

/** An application that may manage those it owns may manage all of them here: objects have no owners in the sandbox. */
const permissions = ['Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy', 'Directory.ReadWrite.All'];
const readPermissions = ['Application.Read.All', ...permissions];
const base = '/applications';
const application = `${base}/{application}`;

export const applicationRoutes: readonly GraphRoute[] = [
  { method: 'GET', path: base, permissions: readPermissions, handle: listApplications },
  { method: 'POST', path: base, permissions, handle: createApplication },
  { method: 'GET', path: `${base}(appId='{appId}')`, permissions: readPermissions, handle: getByAppId },
  {
    method: 'GET',
    path: application,
    permissions: readPermissions,
    handle: (call) => entityReply(call, applicationJson(applicationOf(call)), one),
  },
  { method: 'PATCH', path: application, permissions, handle: patchApplication },
  { method: 'DELETE', path: application, permissions, handle: deleteApplication },
  { method: 'POST', path: `${application}/addKey`, permissions, handle: addKey },
  { method: 'POST', path: `${application}/removeKey`, permissions, handle: removeKey },
  { method: 'POST', path: `${application}/addPassword`, permissions, handle: addPassword },
  { method: 'POST', path: `${application}/removePassword`, permissions, handle: removePassword },
];
