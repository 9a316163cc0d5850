import type { JsonObject } from './graph/json.ts';

/**
 * Where a team's settings, tabs, apps and posts are restored to. Only channels in import mode accept posts with their authors and times,
 * and users cannot write in them until `complete`. Entities are those of Microsoft Graph.
 */
export interface TeamTarget {
  team(signal: AbortSignal): Promise<JsonObject>;
  updateTeam(settings: JsonObject, signal: AbortSignal): Promise<void>;
  members(signal: AbortSignal): Promise<JsonObject[]>;
  addMember(member: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  apps(signal: AbortSignal): Promise<JsonObject[]>;
  installApp(appId: string, signal: AbortSignal): Promise<JsonObject>;
  channels(signal: AbortSignal): Promise<JsonObject[]>;
  /** Makes a channel that imports posts. */
  createChannel(channel: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Ends the import into a channel: from now on people write in it. */
  complete(channelId: string, signal: AbortSignal): Promise<void>;
  tabs(channelId: string, signal: AbortSignal): Promise<JsonObject[]>;
  createTab(channelId: string, tab: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Posts with their replies under `replies`. */
  posts(channelId: string, signal: AbortSignal): AsyncIterable<JsonObject>;
  /** @param postId of the post that is replied to; `null` for a post */
  post(channelId: string, postId: string | null, message: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}
