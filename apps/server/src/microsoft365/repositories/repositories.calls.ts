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
import { askEngine } from '../engine/ask-engine.ts';
import { requireFeature } from '../engine/engine-features.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { refusing } from '../engine-refusal.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { sealNewSecrets } from './new-repository-secrets.ts';
import {
  findOrganizationOf,
  findRepository,
  listRepositories,
  lockRepository,
  updateRepository,
} from './repositories.ts';

type Services = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored'>;
const LIVE = ['m365-repositories.changed'] as const;

/** The calls about repositories. What makes, changes and removes one is asked of the engine of its organization. */
export function m365RepositoryCalls(services: Services, open: OpenEngine): Route[] {
  return [list, listOf, create(open), edit(services, open), remove(open)];
}

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

function create(open: OpenEngine): Route {
  return answer(createM365Repository, async (context, { body }) => {
    const { organizationId, retentionPolicy, repeatPassword: _, ...entered } = body;
    const { database, scope } = context;
    if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
    const engine = await open(database, { providerId: scope.providerId, id: organizationId });
    const given = { ...entered, place: placeOf(body.place), retentionYears: retentionPolicy };
    const store = await context.outside((gone) => refusing(() => engine.createRepository(given, gone)));
    const data = await change(context, { kind: 'm365-repository' }, async (connection) =>
      changed(connection, context, await refusing(() => store(connection))),
    );
    return { data };
  });
}

function edit(services: Services, open: OpenEngine): Route {
  return answer(editM365Repository, async (context, { params: { id }, body }) => {
    const { retentionPolicy, bucketKeys, password, ...rest } = body;
    const hasSecrets = bucketKeys !== undefined || password !== undefined;
    const { database, scope } = context;
    const key = { providerId: scope.providerId, id };
    const found = await findRepository(database, scope, id);
    if (found === null) throw notFound('m365 repository');
    if (hasSecrets) requireFeature(found, 'bucketKeys');
    const engine = await open(database, { providerId: scope.providerId, id: found.organizationId });
    const seal = (gone: AbortSignal) => refusing(() => sealNewSecrets(services, key, { bucketKeys, password }, gone));
    const secrets = hasSecrets ? await context.outside(seal) : undefined;
    const changes = { ...rest, retentionYears: retentionPolicy };
    const store = await askEngine(context, engine, (asked, signal) => asked.changeRepository(id, changes, signal));
    const data = await change(context, { kind: 'm365-repository', id }, async (connection) => {
      const before = await findRepository(connection, scope, id);
      if (before === null) return null;
      await refusing(() => store(connection));
      await updateRepository(connection, key, { secrets });
      const after = await changed(connection, context, id);
      const keys = bucketKeys && { accessKeyId: bucketKeys.accessKeyId };
      return { ...after, after: { ...after.after, ...keys }, before: shownOf(before) };
    });
    return { data };
  });
}

function remove(open: OpenEngine): Route {
  return answer(deleteM365Repository, async (context, { body: { id, companyId, repository: name } }) => {
    const { database, scope } = context;
    const found = await findRepository(database, scope, id);
    if (found === null || found.companyId !== companyId.toLowerCase()) throw notFound('m365 repository');
    const engine = await open(database, { providerId: scope.providerId, id: found.organizationId });
    const hasBackups = (gone: AbortSignal) => refusing(() => engine.hasBackups(id, gone));
    if (found.name !== name && (await context.outside(hasBackups)))
      throw invalid([{ path: 'body.repository', message: `must be "${found.name}": the repository has backups` }]);
    const store = await askEngine(context, engine, (asked, signal) => asked.removeRepository(id, signal));
    await change(context, { kind: 'm365-repository', id }, async (connection) => {
      await lockRepository(connection, scope, id);
      const before = await findRepository(connection, scope, id);
      if (before === null) return null;
      await refusing(() => store(connection));
      return { result: null, before: shownOf(before), live: LIVE };
    });
    return {};
  });
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
