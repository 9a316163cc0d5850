import type { JsonObject } from '../../source/graph/json.ts';
import type { TeamTarget } from '../../source/team-target.ts';

/** A team in memory with one channel that imports posts. */
export class MemoryTeam implements TeamTarget {
  readonly said: JsonObject[] = [];
  readonly allTabs: JsonObject[] = [];
  readonly team = async (): Promise<JsonObject> => ({});
  readonly updateTeam = async (): Promise<void> => undefined;
  readonly members = async (): Promise<JsonObject[]> => [];
  readonly addMember = async (member: JsonObject): Promise<JsonObject> => member;
  readonly apps = async (): Promise<JsonObject[]> => [];
  readonly installApp = async (id: string): Promise<JsonObject> => ({ id });
  readonly createChannel = async (channel: JsonObject): Promise<JsonObject> => channel;
  readonly complete = async (): Promise<void> => undefined;

  async channels(): Promise<JsonObject[]> {
    return [{ id: 'channel-1', displayName: 'General', migrationMode: 'inProgress' }];
  }

  async tabs(): Promise<JsonObject[]> {
    return this.allTabs;
  }

  async createTab(_channelId: string, tab: JsonObject): Promise<JsonObject> {
    const made = { ...tab, id: `tab-${this.allTabs.length + 1}` };
    this.allTabs.push(made);
    return made;
  }

  async *posts(): AsyncGenerator<JsonObject> {
    yield* this.said;
  }

  /** The instant of a message is its number, as in Teams. */
  async post(_channelId: string, _postId: string | null, message: JsonObject): Promise<JsonObject> {
    const made = { ...message, id: String(Date.parse(String(message['createdDateTime']))) };
    this.said.push(made);
    return made;
  }
}
