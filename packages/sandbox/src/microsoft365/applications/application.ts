import type { JsonObject } from '../wire/json.ts';

export interface KeyCredential {
  keyId: string;
  displayName: string | null;
  /** SHA-1 of the certificate in upper-case hex, as the portal shows it. */
  customKeyIdentifier: string;
  type: string;
  usage: string;
  startMs: number;
  endMs: number;
  /** DER. */
  certificate: Buffer;
}

export interface PasswordCredential {
  keyId: string;
  displayName: string | null;
  secretText: string;
  startMs: number;
  endMs: number;
}

/** An application registered in a tenant. */
export interface Application {
  id: string;
  appId: string;
  createdMs: number;
  keyCredentials: KeyCredential[];
  passwordCredentials: PasswordCredential[];
  /** Everything else as it was sent. */
  properties: JsonObject;
}

export interface AppRoleAssignment {
  id: string;
  appRoleId: string;
  createdMs: number;
  principalId: string;
  resourceId: string;
}

/** An application as a tenant lets it in. */
export interface ServicePrincipal {
  id: string;
  appId: string;
  createdMs: number;
  displayName: string;
  properties: JsonObject;
  assignments: AppRoleAssignment[];
}

/** Delegated permissions that were consented to. */
export interface PermissionGrant {
  id: string;
  clientId: string;
  consentType: string;
  principalId: string | null;
  resourceId: string;
  scope: string;
}
