import { allows, type Role } from '@keepwatch/contract/abilities';
import type { Stored } from '@keepwatch/engine/engine';
import type { Connection } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import type { Actor, SignedInContext } from '../../foundation/http/context.ts';
import type { Scope } from '../../foundation/scope.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { RestoreServices } from '../restore-services.ts';
import { type Identified, isCovered } from './coverage.ts';
import { limitedCatalog } from './limited-catalog.ts';
import { coverageOf } from './role-coverage.ts';
import { organizationsOfOperator, rolesOfOperator } from './roles.ts';

/**
 * What a user may look into and restore of an organization. Restores open repositories through it, and in no other way: what it gives out shows
 * of objects outside of it that they are not there.
 */
export interface Reach {
  organization: RestoreOrganization;
  /** Whether it is that of a restore operator; else it is all of the organization. */
  isLimited: boolean;
  covers(object: Identified): boolean;
  openStored(repositoryId: string): Promise<Stored>;
}

/** Whose reach it is. */
export interface Reaching {
  providerId: number;
  userId: string;
  isLimited: boolean;
}

/** Who connects organizations sees all of them; everybody else in the restore portal is a restore operator. */
export function isLimited(roles: readonly Role[]): boolean {
  return !allows(roles, 'o365.organizations');
}

/** @returns `null` for an operator whom no role of the organization names */
export async function reachOf(
  services: RestoreServices,
  { providerId, userId, isLimited }: Reaching,
  organization: RestoreOrganization,
): Promise<Reach | null> {
  const openWhole = (repositoryId: string) => services.openStored(organization.providerId, repositoryId);
  if (!isLimited) return { organization, isLimited, covers: () => true, openStored: openWhole };
  const roles = await rolesOfOperator(services.database, { providerId, userId }, organization.id);
  if (roles.length === 0) return null;
  const coverages = await Promise.all(roles.map((role) => coverageOf(services, organization, role)));
  const covers = (object: Identified) => coverages.some((coverage) => isCovered(coverage, object));
  return {
    organization,
    isLimited,
    covers,
    async openStored(repositoryId) {
      const { repository, catalog } = await openWhole(repositoryId);
      return { repository, catalog: limitedCatalog(catalog, covers) };
    },
  };
}

/** What the caller may see of an organization; `null` where that is nothing. */
export async function findReach(
  services: RestoreServices,
  { actor, scope }: { actor: Pick<Actor, 'userId' | 'roles'>; scope: Scope },
  organizationId: string,
): Promise<Reach | null> {
  const organization = await services.findOrganization(scope, organizationId);
  if (organization === null) return null;
  const { userId, roles } = actor;
  return reachOf(services, { providerId: scope.providerId, userId, isLimited: isLimited(roles) }, organization);
}

/** @throws 404 for an organization that the caller does not reach, also where it is of another company than the one that is named */
export async function requireReach(
  services: RestoreServices,
  context: Pick<SignedInContext, 'actor' | 'scope'>,
  { organizationId, companyId }: { organizationId: string; companyId?: string | undefined },
): Promise<Reach> {
  const found = await findReach(services, context, organizationId);
  if (found === null || (companyId !== undefined && found.organization.companyId !== companyId.toLowerCase()))
    throw notFound('organization');
  return found;
}

/** The organizations that lists show to a user; `null`: all that the scope has. */
export async function organizationsSeenBy(
  connection: Connection,
  { userId, roles, scope }: Pick<Actor, 'userId' | 'roles' | 'scope'>,
): Promise<ReadonlySet<string> | null> {
  if (!isLimited(roles)) return null;
  return new Set(await organizationsOfOperator(connection, { providerId: scope.providerId, userId }));
}
