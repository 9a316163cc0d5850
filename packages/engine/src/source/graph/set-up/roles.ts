import type { ObjectKind } from '../../../model/protected-object.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { objectsOf, textOf } from '../json.ts';
import { PERMISSIONS, type Permission, SHAREPOINT_PERMISSIONS } from '../permissions.ts';
import { untilReplicated } from './replication.ts';

/** What an application is made for: one that reads, or one that also writes. */
export type Purpose = 'backup' | 'restore';

/** The applications of Microsoft whose permissions are given; their ids are the same in every tenant. */
const GRAPH = '00000003-0000-0000-c000-000000000000';
const SHAREPOINT = '00000003-0000-0ff1-ce00-000000000000';

/** Full control writes, and a stolen application that backs up must not be able to change anything. */
const WRITES = /FullControl|ReadWrite|Manage/;

/** A resource of the tenant, and the roles at it that an application is to have. */
export interface NeededRoles {
  resourceAppId: string;
  resourceId: string;
  roles: readonly { id: string; name: string }[];
}

/** Names of the permissions that an application of a purpose is given, of Graph or of SharePoint itself. */
export function namesFor(
  purpose: Purpose,
  kinds: readonly ObjectKind[],
  all: readonly Permission[] = PERMISSIONS,
): string[] {
  const meant = all.filter(
    ({ use, name, kinds: own }) =>
      own.some((kind) => kinds.includes(kind)) && (use === 'backup' ? !WRITES.test(name) : purpose === 'restore'),
  );
  return [...new Set(meant.map(({ name }) => name))];
}

/** Looks up the ids of roles by their names. One that this cloud does not know is left out: it is named as missing later. */
export async function neededRoles(
  connection: GraphConnection,
  purpose: Purpose,
  kinds: readonly ObjectKind[],
  signal: AbortSignal,
): Promise<NeededRoles[]> {
  const needed = [
    await rolesAt(connection, GRAPH, namesFor(purpose, kinds), signal),
    await rolesAt(connection, SHAREPOINT, namesFor(purpose, kinds, SHAREPOINT_PERMISSIONS), signal),
  ];
  return needed.filter((one) => one !== null).filter(({ roles }) => roles.length > 0);
}

async function rolesAt(
  connection: GraphConnection,
  resourceAppId: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<NeededRoles | null> {
  try {
    const path = `/servicePrincipals(appId='${resourceAppId}')?$select=id,appRoles`;
    const principal = await connection.ask({ path, signal });
    const roles = objectsOf(principal['appRoles']).flatMap(({ id, value }) => {
      const [role, name] = [textOf(id), textOf(value)];
      return role !== undefined && name !== undefined && names.includes(name) ? [{ id: role, name }] : [];
    });
    return { resourceAppId, resourceId: textOf(principal['id']) ?? '', roles };
  } catch (error) {
    // A tenant without SharePoint does not know it.
    if (error instanceof GraphError && error.status === 404) return null;
    throw error;
  }
}

/** The registration's own list, which the portal of Microsoft shows and the consent link grants. */
export const requiredResourceAccess = (needed: readonly NeededRoles[]) =>
  needed.map(({ resourceAppId, roles }) => ({
    resourceAppId,
    resourceAccess: roles.map(({ id }) => ({ id, type: 'Role' })),
  }));

/**
 * Consents to roles for a service principal, each that it does not have yet.
 * https://learn.microsoft.com/graph/api/serviceprincipal-post-approleassignments
 */
export async function assignRoles(
  connection: GraphConnection,
  principalId: string,
  needed: readonly NeededRoles[],
  signal: AbortSignal,
): Promise<void> {
  const path = `/servicePrincipals/${principalId}/appRoleAssignments`;
  const read = async () => new Set(await assignedRoles(connection, path, signal));
  let assigned = await untilReplicated(connection.clock, read, signal);
  for (const { resourceId, roles } of needed) {
    for (const { id: appRoleId } of roles) {
      if (assigned.has(appRoleId)) continue;
      const body = { principalId, resourceId, appRoleId };
      await untilReplicated(
        connection.clock,
        async () => {
          try {
            await connection.ask({ method: 'POST', path, body, signal });
          } catch (error) {
            // Its outcome was unknown, and it had worked.
            if (isRefusedAsWrong(error)) assigned = await read();
            if (!assigned.has(appRoleId)) throw error;
          }
        },
        signal,
      );
    }
  }
}

const isRefusedAsWrong = (error: unknown) => error instanceof GraphError && error.status === 400;

async function assignedRoles(connection: GraphConnection, path: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  for await (const { value } of connection.pages({ path, signal }))
    found.push(...value.flatMap(({ appRoleId }) => textOf(appRoleId) ?? []));
  return found;
}
