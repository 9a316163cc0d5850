import { readProperties } from '../../export/export-parts.ts';
import type { ItemVersion } from '../../model/items.ts';
import { type JsonObject, textOf } from '../../source/graph/json.ts';
import type { TeamTarget } from '../../source/team-target.ts';
import type { StoredSite } from './site-lists.ts';

/** As long as Teams lets a name be. */
const NAME_LENGTH = 50;

export interface TeamPlaceOptions {
  /** Behind the names of all channels. */
  into: string | null;
  /** Whether more than tabs is restored. */
  withPosts: boolean;
}

/**
 * Channels that accept posts: new ones, since those in use accept no posts in another person's name. One is called as it was, or, where that name is
 * in use, `General (restored)`. One that a restore before this one left importing is gone on with. Tabs alone go into the channel that is in use.
 */
export class TeamChannels {
  private readonly target: TeamTarget;
  private readonly stored: StoredSite;
  private readonly into: string | null;
  /** Whether posts are among what is restored, which channels in use do not take. */
  private readonly withPosts: boolean;
  private readonly signal: AbortSignal;
  private readonly placed = new Map<string, Promise<string | null>>();
  /** Names by ids. */
  private readonly importing = new Map<string, string>();
  /** Names of those that are being made. One whose answer a stop did not wait for may be there. */
  private readonly making = new Set<string>();

  constructor(target: TeamTarget, stored: StoredSite, { into, withPosts }: TeamPlaceOptions, signal: AbortSignal) {
    this.target = target;
    this.stored = stored;
    this.into = into;
    this.withPosts = withPosts;
    this.signal = signal;
  }

  async place(channel: ItemVersion, make: boolean): Promise<string | null> {
    const key = `${make} ${channel.id}`;
    const placing = this.placed.get(key) ?? this.find(channel, make);
    this.placed.set(key, placing);
    return placing;
  }

  isImporting(channelId: string): boolean {
    return this.importing.has(channelId);
  }

  /** Lets people write in the channels that were made. */
  async complete(): Promise<void> {
    for (const id of this.importing.keys()) await this.target.complete(id, this.signal);
    this.importing.clear();
  }

  /** Names of the channels in which people cannot write before `complete`. */
  get closed(): string[] {
    return [...this.importing.values(), ...this.making];
  }

  private async find(channel: ItemVersion, make: boolean): Promise<string | null> {
    const there = await this.target.channels(this.signal);
    const own = this.into === null ? channel.name : named(channel.name, this.into);
    for (const name of [own, named(channel.name, 'restored')]) {
      const found = there.find((one) => textOf(one['displayName'])?.toLowerCase() === name.toLowerCase());
      if (found === undefined) return make ? this.create(channel, name) : null;
      const mode = textOf(found['migrationMode']);
      const id = textOf(found['id']) ?? '';
      if (mode === 'inProgress') this.importing.set(id, name);
      if (mode !== undefined || !this.withPosts) return id;
    }
    return make ? this.create(channel, named(channel.name, `restored ${new Date().toISOString().slice(0, 16)}`)) : null;
  }

  private async create(channel: ItemVersion, displayName: string): Promise<string> {
    const { parts } = this.stored;
    const { description, createdDateTime, membershipType } = await readProperties(parts, channel);
    const isOpen = membershipType === 'standard' || membershipType === undefined;
    // Who could not read it then must not read it now.
    const members = isOpen ? [] : await this.membersOf(channel.id);
    const body = { displayName, description, createdDateTime, membershipType: membershipType ?? 'standard', members };
    this.making.add(displayName);
    try {
      const made = await this.target.createChannel(body, this.signal);
      const id = textOf(made['id']) ?? '';
      this.importing.set(id, displayName);
      this.making.delete(displayName);
      return id;
    } catch (error) {
      if (!this.signal.aborted) this.making.delete(displayName);
      throw error;
    }
  }

  private async membersOf(channelId: string): Promise<JsonObject[]> {
    const { parts, object, revision } = this.stored;
    const query = { object, revision, parentId: channelId, kinds: ['member'], sort: 'name', limit: 1_000 } as const;
    const { rows } = await parts.catalog.browse(query);
    return Promise.all(rows.map((row) => readProperties(parts, row)));
  }
}

const named = (name: string, what: string) => `${name.slice(0, NAME_LENGTH - what.length - 3)} (${what})`;
