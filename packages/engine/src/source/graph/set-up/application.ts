import { EngineError } from '../../../model/engine-error.ts';
import type { ObjectKind } from '../../../model/protected-object.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectsOf, textOf } from '../json.ts';
import type { ClientCertificate } from '../sign-in/client-assertion.ts';
import { keyCredentialOf } from './certificate.ts';
import { untilReplicated } from './replication.ts';
import { assignRoles, type NeededRoles, neededRoles, type Purpose, requiredResourceAccess } from './roles.ts';

export interface ApplicationOrder {
  name: string;
  purpose: Purpose;
  kinds: readonly ObjectKind[];
  certificate: ClientCertificate;
}

/**
 * Makes an application with a certificate, and consents to what it needs: the administrator who signed in is asked nothing more.
 * One that could not be finished is removed again.
 * @returns its client id @throws EngineError `consent-missing` where who signed in may not do that
 */
export async function createApplication(
  connection: GraphConnection,
  { name, purpose, kinds, certificate }: ApplicationOrder,
  signal: AbortSignal,
): Promise<string> {
  const needed = await neededRoles(connection, purpose, kinds, signal);
  const body = {
    displayName: name,
    signInAudience: 'AzureADMyOrg',
    keyCredentials: [keyCredentialOf(certificate, name)],
    requiredResourceAccess: requiredResourceAccess(needed),
  };
  const made = await connection.ask({ method: 'POST', path: '/applications', body, signal });
  const { objectId, clientId } = idsOf(made);
  try {
    await consent(connection, clientId, needed, signal);
    return clientId;
  } catch (error) {
    // What could not be finished would be in the tenant's list for ever. Why it failed is what matters.
    await deleteApplication(connection, objectId).catch(() => undefined);
    throw error;
  }
}

/** Gives an application of the tenant a certificate and what it needs, beside what it has. @throws EngineError `not-found` */
export async function configureApplication(
  connection: GraphConnection,
  clientId: string,
  { name, purpose, kinds, certificate }: ApplicationOrder,
  signal: AbortSignal,
): Promise<void> {
  const needed = await neededRoles(connection, purpose, kinds, signal);
  await addCertificate(connection, clientId, { certificate, name }, signal);
  await consent(connection, clientId, needed, signal);
}

/** Adds a certificate beside those that an application has: the old ones work on. @throws EngineError `not-found` */
export async function addCertificate(
  connection: GraphConnection,
  clientId: string,
  { certificate, name }: { certificate: ClientCertificate; name: string },
  signal: AbortSignal,
): Promise<void> {
  const { objectId, keyCredentials } = await readApplication(connection, clientId, signal);
  // Entries without their key stay as they are: https://learn.microsoft.com/graph/api/application-update
  const body = { keyCredentials: [...keyCredentials, keyCredentialOf(certificate, name)] };
  await connection.ask({ method: 'PATCH', path: `/applications/${objectId}`, body, signal });
}

/** Removes the certificate with a thumbprint; one that is not there is gone. */
export async function removeCertificate(
  connection: GraphConnection,
  clientId: string,
  thumbprint: string,
  signal: AbortSignal,
): Promise<void> {
  const { objectId, keyCredentials } = await readApplication(connection, clientId, signal);
  const left = keyCredentials.filter(
    ({ customKeyIdentifier }) => !isThumbprint(textOf(customKeyIdentifier), thumbprint),
  );
  if (left.length === keyCredentials.length) return;
  await connection.ask({ method: 'PATCH', path: `/applications/${objectId}`, body: { keyCredentials: left }, signal });
}

/** It leaves as hex; what others wrote there may be the base64 of the same bytes. */
const isThumbprint = (given: string | undefined, thumbprint: string) =>
  given?.toUpperCase() === thumbprint || given === Buffer.from(thumbprint, 'hex').toString('base64');

async function consent(
  connection: GraphConnection,
  clientId: string,
  needed: readonly NeededRoles[],
  signal: AbortSignal,
): Promise<void> {
  const principalId = await untilReplicated(
    connection.clock,
    () => ensurePrincipal(connection, clientId, signal),
    signal,
  );
  await assignRoles(connection, principalId, needed, signal);
}

/** Removes an application that was made here. @throws EngineError `not-found` */
export async function removeApplication(connection: GraphConnection, clientId: string): Promise<void> {
  const { objectId } = await readApplication(connection, clientId, AbortSignal.timeout(30_000));
  await deleteApplication(connection, objectId);
}

/** The application as the tenant lets it in. */
async function ensurePrincipal(connection: GraphConnection, appId: string, signal: AbortSignal): Promise<string> {
  try {
    const principal = await connection.ask({ method: 'POST', path: '/servicePrincipals', body: { appId }, signal });
    return textOf(principal['id']) ?? '';
  } catch (error) {
    if (!(error instanceof GraphError) || error.status !== 409) throw error;
    const path = `/servicePrincipals(appId='${appId}')?$select=id`;
    return textOf((await connection.ask({ path, signal }))['id']) ?? '';
  }
}

async function readApplication(connection: GraphConnection, clientId: string, signal: AbortSignal) {
  const path = `/applications(appId='${encodeURIComponent(clientId)}')?$select=id,appId,keyCredentials`;
  const application = await connection.ask({ path, signal });
  return { ...idsOf(application), keyCredentials: objectsOf(application['keyCredentials']) };
}

function idsOf(application: JsonObject): { objectId: string; clientId: string } {
  const [objectId, clientId] = [textOf(application['id']), textOf(application['appId'])];
  if (objectId !== undefined && clientId !== undefined) return { objectId, clientId };
  throw new EngineError('source-refused', 'Microsoft Graph answered with an application that has no id.');
}

/** Deletes an application, also while its making is stopped. */
async function deleteApplication(connection: GraphConnection, objectId: string): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  const path = `/applications/${objectId}`;
  await untilReplicated(connection.clock, () => connection.ask({ method: 'DELETE', path, signal }), signal);
}
