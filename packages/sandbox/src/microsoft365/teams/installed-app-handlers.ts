import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import { refused, teamOf } from './team-call.ts';
import { appEntity, installationEntity } from './team-entity.ts';

const installed = {
  context: 'Collection(teamsAppInstallation)',
  expand: {
    teamsapp: (entity: JsonObject) => appEntity(appIdOf(entity)),
    teamsappdefinition: (entity: JsonObject) => {
      const { id, displayName } = appEntity(appIdOf(entity));
      return {
        id: `${String(id)}##1.0.0`,
        teamsAppId: id,
        displayName,
        version: '1.0.0',
        publishingState: 'published',
      };
    },
  },
};

/** An installation's id carries the app's. */
const appIdOf = (entity: JsonObject): string =>
  Buffer.from(String(entity['id']), 'base64url').toString().split('##')[1] ?? '';

export function listInstalledApps(call: GraphCall): GraphReply {
  return collectionReply(call, teamOf(call).installedApps.map(installationEntity), installed);
}

export function installApp(call: GraphCall): GraphReply {
  const team = teamOf(call);
  const appId = /teamsApps(?:\('|\/)([^')]+)/.exec(String(objectOf(call.body)['teamsApp@odata.bind'] ?? ''))?.[1];
  if (appId === undefined) throw refused('teamsApp@odata.bind must name an app of the catalog.');
  if (team.installedApps.some((app) => app.appId === appId)) {
    throw new GraphError(409, 'Conflict', 'The app is already installed in the team.');
  }
  const installation = { id: installationIdOf(team.id, appId), appId };
  team.installedApps.push(installation);
  return entityReply(
    call,
    installationEntity(installation),
    { ...installed, context: 'teamsAppInstallation/$entity' },
    201,
  );
}

export const installationIdOf = (teamId: string, appId: string): string =>
  Buffer.from(`${teamId}##${appId}`).toString('base64url');

export function uninstallApp(call: GraphCall): GraphReply {
  const team = teamOf(call);
  const before = team.installedApps.length;
  team.installedApps = team.installedApps.filter(({ id }) => id !== call.params['installation']);
  if (team.installedApps.length === before) throw new GraphError(404, 'NotFound', 'The installation was not found.');
  return { status: 204 };
}
