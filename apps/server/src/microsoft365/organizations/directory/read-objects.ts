import type { DirectoryKind } from '@keepwatch/connectors/ports/microsoft365-engine';
import { notFound, Refusal } from '../../../foundation/errors.ts';
import type { SignedInContext } from '../../../foundation/http/context.ts';
import type { OpenEngine } from '../../engine/open-engine.ts';
import { refusing } from '../../engine-refusal.ts';
import { findOrganization } from '../organizations.ts';
import { refusing as refusingByField } from '../refused-by-microsoft.ts';

/** A picker waits no longer; a run would. */
const LIMIT_MS = 20_000;

export interface ObjectsQuery {
  organizationId: string;
  kind: DirectoryKind;
  search?: string | undefined;
  includePersonalSites?: boolean | undefined;
  parentId?: string | null;
  limit: number;
  offset: number;
}

/** Users, groups, teams or sites of an organization, to choose from, as its engine lists them. */
export async function readObjects(
  open: OpenEngine,
  { database, scope, outside }: SignedInContext,
  { organizationId: id, search = '', includePersonalSites = false, parentId = null, ...query }: ObjectsQuery,
) {
  if ((await findOrganization(database, scope, id)) === null) throw notFound('organization');
  const engine = await open(database, { providerId: scope.providerId, id });
  const read = (gone: AbortSignal) => {
    const limited = AbortSignal.any([gone, AbortSignal.timeout(LIMIT_MS)]);
    const sought = { ...query, search, parentId, withPersonalSites: includePersonalSites };
    return refusing(() => refusingByField('query', () => engine.listObjects(sought, limited)));
  };
  const { rows, count, isWhole } = await outside(read).catch((error: unknown) => {
    throw explained(error);
  });
  return { data: rows.map(({ kind: _kind, ...row }) => row), count, isWhole };
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') return error;
  return new Refusal(409, 'MICROSOFT_UNREACHABLE', 'Microsoft 365 did not answer in time. Try again in a moment.', {
    cause: error,
  });
}
