import type { RepositoryPlace } from '@keepwatch/connectors/ports/microsoft365-engine';
import {
  createM365Repository,
  deleteM365Repository,
  editM365Repository,
  listM365Repositories,
  listRepositoriesOf,
  type Microsoft365Repository,
} from '@keepwatch/contract/microsoft365/repositories';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { change } from '../../audit/change.ts';
import type { Connection } from '../../foundation/database.ts';
import { invalid, notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { refusalOf, refusing } from '../engine-refusal.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { placeUsed, prepareRepository } from './create-repository.ts';
import { sealNewKeys } from './new-bucket-keys.ts';
import { openStored } from './open-stored.ts';
import {
  findOrganizationOf,
  findRepository,
  insertRepository,
  listRepositories,
  lockRepository,
  updateRepository,
} from './repositories.ts';

type Services = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored'>;
const LIVE = ['m365-repositories.changed'] as const;

/** The calls about repositories of the built-in engine. */
export function m365RepositoryCalls(services: Services, open: OpenEngine): Route[] {
  return [list, listOf, create(services), edit(services, open), remove(services, open)];
}

const { signal } = new AbortController();

const list = answer(listM365Repositories, async ({ database, scope }, { query }) => {
  const { organizationId, repositoryId } = query;
  if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
  const data = await listRepositories(database, scope, { organizationIds: [organizationId], repositoryId });
  if (repositoryId !== undefined && data.length === 0) throw notFound('repository');
  return { data };
});

const listOf = answer(listRepositoriesOf, async ({ database, scope }, { body }) => ({
  data: await listRepositories(database, scope, { organizationIds: body.organizationsIds }),
}));

function create(services: Services): Route {
  return answer(createM365Repository, async (context, { body }) => {
    const { organizationId, retentionPolicy, repeatPassword: _, ...entered } = body;
    const { database, scope } = context;
    if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
    const organization = { providerId: scope.providerId, id: organizationId };
    const given = { ...entered, place: placeOf(body.place), retentionYears: retentionPolicy };
    const row = await context.outside((gone) => refusing(() => prepareRepository(services, organization, given, gone)));
    const data = await change(context, { kind: 'm365-repository' }, async (connection) => {
      if (!(await insertRepository(connection, row, context.now()))) throw refusalOf(placeUsed(row.place.place));
      return changed(connection, context, row.id);
    });
    return { data };
  });
}

function edit(services: Services, open: OpenEngine): Route {
  return answer(editM365Repository, async (context, { params: { id }, body }) => {
    const { retentionPolicy, bucketKeys, ...rest } = body;
    const { scope } = context;
    const key = { providerId: scope.providerId, id };
    if ((await findRepository(context.database, scope, id)) === null) throw notFound('m365 repository');
    const secrets =
      bucketKeys && (await context.outside((gone) => refusing(() => sealNewKeys(services, key, bucketKeys, gone))));
    const data = await change(context, { kind: 'm365-repository', id }, async (connection) => {
      const before = await findRepository(connection, scope, id);
      if (before === null) return null;
      const engine = await open(connection, { providerId: scope.providerId, id: before.organizationId });
      const changes = { ...rest, retentionYears: retentionPolicy };
      await refusing(() => engine.changeRepository(id, changes, signal));
      await updateRepository(connection, key, { secrets });
      const after = await changed(connection, context, id);
      const keys = bucketKeys && { accessKeyId: bucketKeys.accessKeyId };
      return { ...after, after: { ...after.after, ...keys }, before: shownOf(before) };
    });
    return { data };
  });
}

function remove(services: Services, open: OpenEngine): Route {
  return answer(deleteM365Repository, async (context, { body }) => {
    const { scope } = context;
    const found = await findRepository(context.database, scope, body.id);
    if (found === null || found.companyId !== body.companyId.toLowerCase()) throw notFound('m365 repository');
    if (
      found.name !== body.repository &&
      (await context.outside(() => hasBackups(services, scope.providerId, body.id)))
    )
      throw invalid([{ path: 'body.repository', message: `must be "${found.name}": the repository has backups` }]);
    await change(context, { kind: 'm365-repository', id: body.id }, async (connection) => {
      await lockRepository(connection, scope, body.id);
      const before = await findRepository(connection, scope, body.id);
      if (before === null) return null;
      const engine = await open(connection, { providerId: scope.providerId, id: before.organizationId });
      await refusing(() => engine.removeRepository(body.id, signal));
      return { result: null, before: shownOf(before), live: LIVE };
    });
    return {};
  });
}

/** One that cannot be opened may have backups, too. */
async function hasBackups(services: Services, providerId: number, id: string): Promise<boolean> {
  try {
    const { catalog } = await openStored(services, providerId, id);
    return (await catalog.listRestorePoints({ limit: 1, offset: 0 })).length > 0;
  } catch {
    return true;
  }
}

async function changed(connection: Connection, { scope }: SignedInContext, id: string) {
  const result = await findRepository(connection, scope, id);
  if (result === null) throw notFound('m365 repository');
  return { result, id, after: shownOf(result), live: LIVE };
}

function placeOf(place: CallRequest<typeof createM365Repository>['body']['place']): RepositoryPlace {
  return place.kind === 'folder' ? place : { ...place, endpoint: place.endpoint || null, prefix: place.prefix ?? '' };
}

/** What of a repository the audit log may contain. */
function shownOf({
  name,
  organizationName,
  path,
  passwordDescription,
  retentionPolicy,
  immutableDays,
}: Microsoft365Repository) {
  return { name, organizationName, path, passwordDescription, retentionPolicy, immutableDays };
}
