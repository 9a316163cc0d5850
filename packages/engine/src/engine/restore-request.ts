import type { ItemScope } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import { DrivePlace } from '../restore/places/drive-place.ts';
import { MailboxPlace } from '../restore/places/mailbox-place.ts';
import { PlaceWithSettings } from '../restore/places/place-with-settings.ts';
import { PlannerPlace } from '../restore/places/planner-place.ts';
import { SitePlace } from '../restore/places/site-place.ts';
import { TeamPlace } from '../restore/places/team-place.ts';
import type { RestoreRequest } from '../restore/restore.ts';
import type { RestoreOptions } from '../restore/restore-options.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { openGraphMailboxOfArchive } from '../source/graph/target/imported-mailbox.ts';
import { openGraphDrive } from '../source/graph/write-drives/graph-drive.ts';
import { GraphPlanner } from '../source/graph/write-planner/graph-planner.ts';
import { GraphSettings } from '../source/graph/write-settings/graph-settings.ts';
import { GraphSite } from '../source/graph/write-sites/graph-site.ts';
import { GraphTeam } from '../source/graph/write-teams/graph-team.ts';
import { findTarget } from './restore-target.ts';
import type { Stored } from './work.ts';

const TO_GROUP =
  'Microsoft Graph lets no application write into the conversations of a group. Choose whose mailbox they are to go into, or export them.';

const NO_CHATS = 'Microsoft 365 takes no chats back. An export saves them.';

const ONE_FILE = 'An earlier version is one of one file: choose that file alone.';

/** @returns why nothing goes into a group itself */
export const refuseGroup = () => new EngineError('bad-request', TO_GROUP, { remedy: 'choose-target' });

/** What is to go where. */
export interface RestoreOrder {
  scope: ItemScope;
  options: RestoreOptions;
  /** Address or id of the user, id of the drive, site, team or group that it goes into; without: where it was. */
  to?: string;
}

type Request = Omit<RestoreRequest, 'scope' | 'options'>;

/** @throws `bad-request` for what cannot be written back, `not-found` for what it is to go into */
export async function restoreRequest(
  stored: Stored,
  connection: GraphConnection,
  { scope, options, to }: RestoreOrder,
  signal: AbortSignal,
): Promise<RestoreRequest> {
  const { object } = scope;
  const { kind, name } = object;
  if (options.earlierVersion !== null && (kind !== 'drive' || scope.items?.length !== 1))
    throw new EngineError('bad-request', ONE_FILE);
  if (kind === 'chats') throw new EngineError('bad-request', NO_CHATS, { remedy: 'export-instead' });
  if (kind === 'mailbox' && isOfGroup(object) && to === undefined) throw refuseGroup();
  const { id, name: toName } = await findTarget(connection, { kind, name, id: object.id }, to, signal);
  const isOwn = id === object.id && connection.tenantId === object.organizationId;
  const site = { parts: { ...stored, signal }, object: object.key, revision: scope.revision };
  const inTeam = { into: options.into, withPosts: kind === 'team' && !(await areTabs(stored, scope)) };
  const places: Readonly<Record<typeof kind, () => Request>> = {
    mailbox: () => mailbox(connection, id, options, isOwn),
    archive: () => archive(connection, id, options, isOwn),
    drive: () => ({
      to: `drive/${connection.tenantId}/${id}`,
      place: (paths, until) => new DrivePlace(openGraphDrive(connection, id), paths, options, until),
    }),
    site: () => ({
      to: `site/${connection.tenantId}/${id}`,
      place: (paths, until) => new SitePlace(new GraphSite(connection, id), paths, site, options.into, until),
    }),
    team: () => ({
      to: `team/${connection.tenantId}/${id}`,
      place: (paths, until) => new TeamPlace(new GraphTeam(connection, id), paths, site, inTeam, until),
    }),
    planner: () => ({
      to: `planner/${connection.tenantId}/${id}`,
      place: (paths, until) =>
        new PlannerPlace(new GraphPlanner(connection, id), paths, { parts: site.parts, scope }, options.into, until),
    }),
  };
  return { scope, options, ...places[kind](), toName };
}

/** Whether tabs alone were chosen. */
async function areTabs({ catalog }: Stored, { object, revision, items }: ItemScope): Promise<boolean> {
  for (const id of items ?? []) if ((await catalog.item(object.key, revision, id))?.kind !== 'tab') return false;
  return items !== null;
}

function mailbox(connection: GraphConnection, to: string, options: RestoreOptions, isOwn: boolean): Request {
  const target = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: to });
  const settings = isOwn && options.into === null ? new GraphSettings(connection, to) : null;
  return {
    to: `mailbox/${connection.tenantId}/${to}`,
    place: (paths, until) =>
      new PlaceWithSettings(new MailboxPlace(target, paths, options.into, until, isOwn), settings, until),
  };
}

/** Archived items go into the archive they are of; into a mailbox in a folder of their own alone, as users do not expect them among its mail. */
function archive(connection: GraphConnection, to: string, options: RestoreOptions, isOwn: boolean): Request {
  const { into } = options;
  const all = openGraphTarget(connection);
  const target =
    into === null
      ? all.mailbox({ kind: 'archive', id: to })
      : openGraphMailboxOfArchive(connection, to, all.mailbox({ kind: 'mailbox', id: to }));
  return {
    to: `${into === null ? 'archive' : 'mailbox'}/${connection.tenantId}/${to}`,
    place: (paths, until) => new MailboxPlace(target, paths, into, until, isOwn),
  };
}
