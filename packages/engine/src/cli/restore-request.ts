import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectKind } from '../model/protected-object.ts';
import type { Repository } from '../repository/repository.ts';
import { DrivePlace } from '../restore/drive-place.ts';
import { MailboxPlace } from '../restore/mailbox-place.ts';
import { PlaceWithSettings } from '../restore/place-with-settings.ts';
import type { RestoreRequest } from '../restore/restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from '../restore/restore-options.ts';
import { SitePlace } from '../restore/site-place.ts';
import { TeamPlace } from '../restore/team-place.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { openGraphMailboxOfArchive } from '../source/graph/target/imported-mailbox.ts';
import { openGraphDrive } from '../source/graph/write-drives/graph-drive.ts';
import { GraphSettings } from '../source/graph/write-settings/graph-settings.ts';
import { GraphSite } from '../source/graph/write-sites/graph-site.ts';
import { GraphTeam } from '../source/graph/write-teams/graph-team.ts';
import type { CommandContext } from './command.ts';
import type { Given } from './given.ts';
import { findTarget } from './restore-target.ts';

export const CONFLICTS = ['skip', 'replace', 'keep-both'] as const;
export const ONLY = ['everything', 'missing', 'changed'] as const;

const TO_GROUP =
  'Microsoft Graph lets no application write into the conversations of a group. Give with --to whose mailbox they are to go into, or use `export`.';

const NO_CHATS = 'Microsoft 365 takes no chats back. `export` saves them.';

/** A restore as it was asked for. */
export interface GivenRestore {
  request: RestoreRequest;
  /** To be called when it is over, however it ended: channels that take posts of others are closed to everybody until then. */
  complete(): Promise<void>;
}

type StoredParts = { repository: Repository; catalog: RepositoryCatalog };
type Request = Omit<RestoreRequest, 'scope' | 'options'>;

/** @throws `bad-request` for what cannot be written back, `not-found` for what it is to go into */
export async function restoreRequest(
  stored: StoredParts,
  connection: GraphConnection,
  scope: RestoreRequest['scope'],
  { given, signal }: CommandContext,
): Promise<GivenRestore> {
  const { object } = scope;
  refuseIdle(given, object);
  const options = readOptions(given);
  const { kind, name } = object;
  if (kind === 'chats') throw new EngineError('bad-request', NO_CHATS);
  const to = given.text('to') === undefined ? undefined : given.required('to');
  if (kind === 'mailbox' && isOfGroup(object) && to === undefined) throw new EngineError('bad-request', TO_GROUP);
  const { id, name: toName } = await findTarget(connection, { kind, name, id: object.id }, to, signal);
  const isOwn = id === object.id && connection.tenantId === object.organizationId;
  const site = { parts: { ...stored, signal }, object: object.key, revision: scope.revision };
  let team: TeamPlace | null = null;
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
      place: (paths, until) => {
        team = new TeamPlace(new GraphTeam(connection, id), paths, site, options.into, until);
        return team;
      },
    }),
  };
  const request = { scope, options, ...places[kind](), toName };
  return { request, complete: async () => team?.complete() };
}

const MAIL = ['mailbox', 'archive'] as const;
/** Options that mean something for objects of some kinds alone. */
const OF_KINDS: Readonly<Record<string, readonly ObjectKind[]>> = {
  permissions: ['drive'],
  'last-version': ['drive'],
  unread: MAIL,
  'without-deleted-items': MAIL,
  'without-drafts': MAIL,
};

/** Refuses an option that does nothing here: the user expects something of it. */
function refuseIdle(given: Given, { kind, name }: RestoreRequest['scope']['object']): void {
  for (const [option, kinds] of Object.entries(OF_KINDS)) {
    if (!given.has(option) || kinds.includes(kind)) continue;
    const text = `--${option} does nothing for '${name}', which is a ${kind}: it is for ${kinds.join(' and ')}. Leave it out.`;
    throw new EngineError('bad-request', text);
  }
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

function readOptions(given: Given): RestoreOptions {
  return {
    conflict: given.oneOf('conflict', CONFLICTS, RESTORE_OPTIONS.conflict),
    only: given.oneOf('only', ONLY, RESTORE_OPTIONS.only),
    into: given.text('into') ?? null,
    mark: given.has('mark'),
    markUnread: given.has('unread'),
    deletedItems: !given.has('without-deleted-items'),
    drafts: !given.has('without-drafts'),
    versions: given.has('last-version') ? 'last' : 'all',
    permissions: given.has('permissions'),
  };
}
