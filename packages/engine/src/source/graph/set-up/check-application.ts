import { EngineError } from '../../../model/engine-error.ts';
import type { ObjectKind } from '../../../model/protected-object.ts';
import { type GraphConnection, type GraphOptions, openGraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import {
  missingPermissions,
  PERMISSIONS,
  type Permission,
  rolesOf,
  SHAREPOINT_PERMISSIONS,
  tenantOf,
  tokenOf,
} from '../permissions.ts';
import type { ApplicationCredentials } from '../sign-in/application.ts';
import { untilKnown } from './replication.ts';
import { namesFor, type Purpose } from './roles.ts';

/** A permission that an application lacks, and what that costs. */
export interface MissingPermission extends Pick<Permission, 'use' | 'without'> {
  /** `Mail.Read`, or `Sites.Read.All of SharePoint`. */
  permission: string;
  isOptional: boolean;
}

export interface ApplicationCheck {
  /** By its id, also where it was given by a domain. */
  tenantId: string;
  missing: MissingPermission[];
  /** Whether it has a permission with which something can be restored. */
  canRestore: boolean;
}

/**
 * Signs in as an application, asks Graph something, and compares what the application may do with what the kinds need.
 * @throws EngineError when it cannot sign in, or Graph cannot be reached
 */
export async function checkApplication(
  options: Omit<GraphOptions, 'applications'>,
  credentials: ApplicationCredentials,
  kinds: readonly ObjectKind[],
  signal: AbortSignal,
): Promise<ApplicationCheck> {
  const all = { ...options, applications: [credentials] };
  const token = await tokenOf(all, credentials);
  const granted = rolesOf(token);
  const connection = openGraphConnection(all);
  await askOnce(connection, signal);
  const ofSharePoint = kinds.includes('site') ? await rolesAtSharePoint(connection) : null;
  const isMeant = ({ kinds: own }: Permission) => own.some((kind) => kinds.includes(kind));
  const missing = [
    ...missingPermissions(granted ?? new Set(), PERMISSIONS.filter(isMeant)).map((one) => missingOf(one, one.name)),
    ...missingPermissions(ofSharePoint ?? new Set(), SHAREPOINT_PERMISSIONS.filter(isMeant)).map((one) =>
      missingOf(one, `${one.name} of SharePoint`),
    ),
  ];
  return { tenantId: tenantOf(token) ?? options.tenantId, missing, canRestore: mayWrite(granted, kinds) };
}

/** Waits until an application that was just made or changed can sign in and has its permissions, as far as the directory allows in time. */
export async function awaitApplication(
  options: Omit<GraphOptions, 'applications'>,
  credentials: ApplicationCredentials,
  { purpose, kinds }: { purpose: Purpose; kinds: readonly ObjectKind[] },
  signal: AbortSignal,
): Promise<void> {
  const all = { ...options, applications: [credentials] };
  const clock = openGraphConnection(all).clock;
  const known = await untilKnown(clock, () => tokenOf(all, credentials), signal);
  const needed = namesFor(purpose, kinds);
  const isWhole = (token: string) => lacking(rolesOf(token), needed).length === 0;
  if (isWhole(known)) return;
  await untilKnown(
    clock,
    async () => {
      if (!isWhole(await tokenOf(all, credentials)))
        throw new EngineError('consent-missing', 'The permissions of the application are not in force yet.');
    },
    signal,
  ).catch((error: unknown) => {
    // Some clouds do not know some permissions: what is missing in the end is named by the check.
    if (!(error instanceof EngineError) || error.code !== 'consent-missing') throw error;
  });
}

const lacking = (granted: ReadonlySet<string> | null, names: readonly string[]) =>
  granted === null ? [] : names.filter((name) => !granted.has(name));

function missingOf({ use, without, isOptional = false }: Permission, permission: string): MissingPermission {
  return { permission, use, without, isOptional };
}

function mayWrite(granted: ReadonlySet<string> | null, kinds: readonly ObjectKind[]): boolean {
  const writing = PERMISSIONS.filter(
    ({ use, kinds: own }) => use === 'restore' && own.some((kind) => kinds.includes(kind)),
  );
  return (
    granted !== null && writing.some(({ name, coveredBy }) => [name, ...coveredBy].some((one) => granted.has(one)))
  );
}

/** Signing in proves the identity platform alone; this proves Graph, and the way to it. */
async function askOnce(connection: GraphConnection, signal: AbortSignal): Promise<void> {
  try {
    await connection.ask({ path: '/users?$top=1&$select=id', signal });
  } catch (error) {
    // Its lack is among what is missing.
    if (!(error instanceof GraphError && error.status === 403)) throw error;
  }
}

/** `null`: without a certificate, or without the permission to find a site, SharePoint gives nothing. */
async function rolesAtSharePoint({ sharePoint }: GraphConnection): Promise<ReadonlySet<string> | null> {
  if (sharePoint === null) return null;
  try {
    return rolesOf(await sharePoint.token());
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'source-unreachable') return null;
    throw error;
  }
}
