import type { ContainerPaths } from '../../browse/container-paths.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../../source/graph/json.ts';
import { messageId, messageOfId } from '../../source/graph/team/message-item.ts';
import type { Written } from '../../source/target.ts';
import type { TeamTarget } from '../../source/team-target.ts';
import { importedMessage } from '../imported-message.ts';
import { readRestoreItem } from '../read-restore-item.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from '../restore-place.ts';
import type { StoredSite } from './site-lists.ts';
import { TeamChannels, type TeamPlaceOptions } from './team-channels.ts';

/** The parent of what is in no channel. */
const TOP = 'team';
const SETTINGS = ['memberSettings', 'guestSettings', 'messagingSettings', 'funSettings'];

/**
 * A team as a place to restore into: settings, members, apps, and channels with their tabs and posts. Files are drives.
 */
export class TeamPlace implements RestorePlace {
  private readonly target: TeamTarget;
  private readonly paths: ContainerPaths;
  private readonly stored: StoredSite;
  private readonly channels: TeamChannels;
  private readonly signal: AbortSignal;
  /** Numbers of the messages of a channel at the target. */
  private readonly said = new Map<string, Promise<Set<string>>>();
  /** By the id of the stored message: a post may be written before its turn, for a reply to it. */
  private readonly written = new Map<string, Promise<Written>>();

  constructor(
    target: TeamTarget,
    paths: ContainerPaths,
    stored: StoredSite,
    options: TeamPlaceOptions,
    signal: AbortSignal,
  ) {
    this.target = target;
    this.paths = paths;
    this.stored = stored;
    this.channels = new TeamChannels(target, stored, options, signal);
    this.signal = signal;
  }

  /** Ends the import: until then users cannot write in the channels that were made. */
  complete(): Promise<void> {
    return this.channels.complete();
  }

  untilContinued(): string | null {
    const { closed } = this.channels;
    if (closed.length === 0) return null;
    return `Users cannot write in ${closed.map((name) => `‘${name}’`).join(', ')} until the restore is complete.`;
  }

  container(channel: ItemVersion, make: boolean): Promise<string | null> {
    return this.channels.place(channel, make);
  }

  async parentOf(item: ItemVersion, make: boolean): Promise<string | null> {
    const channel = item.parentId === null ? null : await this.paths.container(item.parentId);
    return channel === null ? TOP : this.container(channel, make);
  }

  isNew(): boolean {
    return false;
  }

  async find(parent: string, { version, properties }: RestoreItem): Promise<FoundInPlace[]> {
    const { kind } = version;
    const there = (id: string): FoundInPlace => ({ id, modifiedAt: null, isUnchanged: true });
    if (kind === 'post' || kind === 'reply') {
      if (isUnwritable(properties)) return [there(version.id)];
      const number = messageOfId(version.id)?.id ?? '';
      return (await this.saidIn(parent)).has(number) ? [there(`${parent}/messages/${number}`)] : [];
    }
    if (kind === 'team') {
      const team = await this.target.team(this.signal);
      return [{ ...there(version.id), isUnchanged: settingsText(team) === settingsText(properties) }];
    }
    if (kind === 'member' && parent !== TOP) return [there(version.id)];
    const same = (await this.alike(kind, parent)).find((one) => keyOf(kind, one) === keyOf(kind, properties));
    return same === undefined ? [] : [there(`${parent}/${kind}/${same['id']}`)];
  }

  identityOf({ version, properties }: RestoreItem): string {
    return `${version.kind} ${keyOf(version.kind, properties) ?? version.id}`;
  }

  async create(parent: string, item: RestoreItem): Promise<Written> {
    const { version, properties } = item;
    if (version.kind === 'post' || version.kind === 'reply') return this.say(parent, item);
    const key = keyOf(version.kind, properties);
    if (version.kind === 'member') return written(await this.target.addMember(properties, this.signal));
    if (version.kind === 'app' && key !== undefined) return written(await this.target.installApp(key, this.signal));
    if (version.kind === 'tab') {
      const { displayName, configuration } = properties;
      const teamsApp = textOf(objectOf(properties['teamsApp'])['id']) ?? '';
      return written(await this.target.createTab(parent, { displayName, configuration, teamsApp }, this.signal));
    }
    throw new EngineError('bad-request', `A ${version.kind} cannot be made in a team.`);
  }

  async replace(found: FoundInPlace, _parent: string, { version, properties }: RestoreItem): Promise<Written> {
    if (version.kind !== 'team') throw new EngineError('bad-request', `A ${version.kind} is not replaced.`);
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, properties[name]]));
    await this.target.updateTeam(settings, this.signal);
    return { id: found.id, losses: [] };
  }

  /** A message is written by one request: there are no halves of it. */
  async remove(): Promise<void> {}

  private say(channelId: string, item: RestoreItem): Promise<Written> {
    const known = this.written.get(item.version.id) ?? this.write(channelId, item);
    this.written.set(item.version.id, known);
    known.catch(() => this.written.delete(item.version.id));
    return known;
  }

  private async write(channelId: string, item: RestoreItem): Promise<Written> {
    if (!this.channels.isImporting(channelId))
      throw new EngineError(
        'bad-request',
        'The channel takes no posts any more, since people write in it. Delete or rename it, and restore again.',
      );
    const place = messageOfId(item.version.id);
    const postId = place?.postId == null ? null : await this.postOf(channelId, place.conversationId, place.postId);
    const { message, losses } = await importedMessage(item.properties, item.contents);
    const made = await this.target.post(channelId, postId, message, this.signal);
    const id = textOf(made['id']) ?? '';
    (await this.said.get(channelId))?.add(id);
    return { id: `${channelId}/messages/${id}`, losses };
  }

  /** The number of the post a reply belongs to; it is written before its turn when it is not there. */
  private async postOf(channelId: string, conversationId: string, postId: string): Promise<string> {
    const id = messageId({ kind: 'post', conversationId, path: '', postId: null }, postId);
    const inFlight = this.written.get(id);
    if (inFlight === undefined && (await this.saidIn(channelId)).has(postId)) return postId;
    const version = await this.paths.item(id);
    if (version === null) throw new EngineError('not-found', 'The post it replies to was never stored.');
    const item = await readRestoreItem(this.stored.parts, version, { mark: false, markUnread: false });
    const { id: made } = await this.say(channelId, item);
    return messageOfId(made)?.id ?? postId;
  }

  private saidIn(channelId: string): Promise<Set<string>> {
    const known = this.said.get(channelId) ?? this.readSaid(channelId);
    this.said.set(channelId, known);
    return known;
  }

  private async readSaid(channelId: string): Promise<Set<string>> {
    const numbers = new Set<string>();
    for await (const post of this.target.posts(channelId, this.signal))
      for (const message of [post, ...objectsOf(post['replies'])]) numbers.add(textOf(message['id']) ?? '');
    return numbers;
  }

  private alike(kind: ItemVersion['kind'], parent: string): Promise<JsonObject[]> {
    if (kind === 'member') return this.target.members(this.signal);
    return kind === 'app' ? this.target.apps(this.signal) : this.target.tabs(parent, this.signal);
  }
}

/** What people deleted has no text any more, and what Teams itself says it says again when it happens again. */
const isUnwritable = (message: JsonObject): boolean =>
  message['messageType'] !== 'message' || textOf(message['deletedDateTime']) !== undefined;

function keyOf(kind: ItemVersion['kind'], entity: JsonObject): string | undefined {
  if (kind === 'member') return textOf(entity['userId']);
  if (kind === 'app') return textOf(objectOf(entity['teamsApp'])['id']);
  return kind === 'tab' ? textOf(entity['displayName']) : textOf(entity['id']);
}

const settingsText = (team: JsonObject) => JSON.stringify(SETTINGS.map((name) => [name, team[name] ?? null]));

const written = (made: JsonObject): Written => ({ id: textOf(made['id']) ?? '', losses: [] });
