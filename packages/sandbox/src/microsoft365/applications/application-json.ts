import type { JsonObject } from '../wire/json.ts';
import type { Application, KeyCredential, PasswordCredential, ServicePrincipal } from './application.ts';
import type { Applications } from './applications.ts';
import { rolesOfResource } from './permissions.ts';

const instant = (ms: number) => new Date(ms).toISOString();

function keyJson(credential: KeyCredential): JsonObject {
  return {
    customKeyIdentifier: credential.customKeyIdentifier,
    displayName: credential.displayName,
    endDateTime: instant(credential.endMs),
    // The certificate itself leaves only when one application is asked for it, and no engine needs it.
    key: null,
    keyId: credential.keyId,
    startDateTime: instant(credential.startMs),
    type: credential.type,
    usage: credential.usage,
  };
}

/** The secret leaves once, in the reply to its making. */
export function passwordJson(credential: PasswordCredential, isNew = false): JsonObject {
  return {
    customKeyIdentifier: null,
    displayName: credential.displayName,
    endDateTime: instant(credential.endMs),
    hint: credential.secretText.slice(0, 3),
    keyId: credential.keyId,
    secretText: isNew ? credential.secretText : null,
    startDateTime: instant(credential.startMs),
  };
}

export const keyCredentialJson = keyJson;

export function applicationJson(application: Application): JsonObject {
  return {
    id: application.id,
    deletedDateTime: null,
    appId: application.appId,
    createdDateTime: instant(application.createdMs),
    description: null,
    identifierUris: [],
    isFallbackPublicClient: null,
    signInAudience: 'AzureADMyOrg',
    tags: [],
    requiredResourceAccess: [],
    ...application.properties,
    keyCredentials: application.keyCredentials.map(keyJson),
    passwordCredentials: application.passwordCredentials.map((credential) => passwordJson(credential)),
  };
}

export function servicePrincipalJson(principal: ServicePrincipal): JsonObject {
  const isOfTheVendor = rolesOfResource(principal.appId).size > 0;
  return {
    id: principal.id,
    deletedDateTime: null,
    accountEnabled: true,
    appDisplayName: principal.displayName,
    appId: principal.appId,
    appRoleAssignmentRequired: false,
    displayName: principal.displayName,
    servicePrincipalNames: [principal.appId],
    servicePrincipalType: 'Application',
    signInAudience: isOfTheVendor ? 'AzureADMultipleOrgs' : 'AzureADMyOrg',
    tags: [],
    ...principal.properties,
    appRoles: [...rolesOfResource(principal.appId)].map(roleJson),
    oauth2PermissionScopes: [],
  };
}

function roleJson([id, name]: readonly [string, string]): JsonObject {
  return {
    allowedMemberTypes: ['Application'],
    description: `Allows the app to use ${name} without a signed-in user.`,
    displayName: name,
    id,
    isEnabled: true,
    origin: 'Application',
    value: name,
  };
}

export function assignmentsJson(applications: Applications, principal: ServicePrincipal): JsonObject[] {
  return principal.assignments.map((assignment) => ({
    id: assignment.id,
    deletedDateTime: null,
    appRoleId: assignment.appRoleId,
    createdDateTime: instant(assignment.createdMs),
    principalDisplayName: principal.displayName,
    principalId: assignment.principalId,
    principalType: 'ServicePrincipal',
    resourceDisplayName: applications.servicePrincipals.get(assignment.resourceId)?.displayName ?? null,
    resourceId: assignment.resourceId,
  }));
}
