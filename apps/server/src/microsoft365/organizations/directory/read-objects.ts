import type { DirectoryKind } from '@keepwatch/connectors/ports/microsoft365-engine';
import { notFound, Refusal } from '../../../foundation/errors.ts';
import type { SignedInContext } from '../../../foundation/http/context.ts';
import { connectOrganization } from '../connect-organization.ts';
import type { OrganizationServices } from '../organization-services.ts';
import { findOrganization } from '../organizations.ts';
import { refusing } from '../refused-by-microsoft.ts';
import { forgetWalk, walkOf } from './walks.ts';

/** A picker waits no longer; a run would. */
const LIMIT_MS = 20_000;

export interface ObjectsQuery {
  organizationId: string;
  kind: DirectoryKind;
  search?: string | undefined;
  includePersonalSites?: boolean | undefined;
  parentId?: string;
  limit: number;
  offset: number;
}

/** Users, groups, teams or sites of an organization, to choose from. */
export async function readObjects(
  services: OrganizationServices,
  context: SignedInContext,
  { organizationId: id, kind, search = '', includePersonalSites = false, parentId, limit, offset }: ObjectsQuery,
) {
  const { providerId } = context.scope;
  if ((await findOrganization(context.database, context.scope, id)) === null) throw notFound('organization');
  const connection = await connectOrganization(services, { providerId, id });
  const query = { kind, search: search.trim(), parentId: parentId ?? null, withPersonalSites: includePersonalSites };
  const { key, walk } = walkOf(`${providerId} ${id}`, query, offset + limit, Date.now());
  const read = (gone: AbortSignal) => {
    const limited = AbortSignal.any([gone, AbortSignal.timeout(LIMIT_MS)]);
    return refusing('query', () => walk.page(connection, offset, limit, limited));
  };
  const { rows, count, isWhole } = await context.outside(read).catch((error: unknown) => {
    forgetWalk(key);
    throw isGone(error, parentId) ? notFound('site') : explained(error);
  });
  return { data: rows.map(({ kind: _kind, ...row }) => row), count, isWhole };
}

const isGone = (error: unknown, parentId: string | undefined) =>
  parentId !== undefined && error instanceof Refusal && error.code === 'NOT_FOUND';

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') return error;
  return new Refusal(409, 'MICROSOFT_UNREACHABLE', 'Microsoft 365 did not answer in time. Try again in a moment.', {
    cause: error,
  });
}
