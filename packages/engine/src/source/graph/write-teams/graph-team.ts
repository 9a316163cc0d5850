import type { TeamTarget } from '../../team-target.ts';
import type { GraphConnection } from '../connection.ts';
import { type JsonObject, objectsOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';

/** An app of the catalog, as what is made from it names it. */
const boundApp = (appId: string) => ({
  'teamsApp@odata.bind': `https://graph.microsoft.com/v1.0/appCatalogs/teamsApps/${appId}`,
});

/** A person as a member; https://learn.microsoft.com/graph/api/team-post-members */
export function boundMember(member: JsonObject): JsonObject {
  return {
    '@odata.type': '#microsoft.graph.aadUserConversationMember',
    roles: member['roles'] ?? [],
    'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${textOf(member['userId']) ?? ''}')`,
  };
}

/** A team over Microsoft Graph as a place to write into; https://learn.microsoft.com/microsoftteams/platform/graph-api/import-messages/import-external-messages-to-teams */
export class GraphTeam implements TeamTarget {
  private readonly connection: GraphConnection;
  private readonly base: string;

  constructor(connection: GraphConnection, teamId: string) {
    this.connection = connection;
    this.base = path`/teams/${teamId}`;
  }

  team(signal: AbortSignal) {
    return this.connection.ask({ path: this.base, signal });
  }

  async updateTeam(body: JsonObject, signal: AbortSignal): Promise<void> {
    await this.connection.ask({ method: 'PATCH', path: this.base, body, signal });
  }

  members(signal: AbortSignal) {
    return this.all(`${this.base}/members`, signal);
  }

  addMember(member: JsonObject, signal: AbortSignal) {
    return this.add(`${this.base}/members`, boundMember(member), signal);
  }

  apps(signal: AbortSignal) {
    return this.all(`${this.base}/installedApps?$expand=teamsApp`, signal);
  }

  installApp(appId: string, signal: AbortSignal) {
    return this.add(`${this.base}/installedApps`, boundApp(appId), signal);
  }

  channels(signal: AbortSignal) {
    return this.all(`${this.base}/channels`, signal);
  }

  createChannel({ members, ...channel }: JsonObject, signal: AbortSignal) {
    const people = objectsOf(members).map(boundMember);
    const body = {
      '@microsoft.graph.channelCreationMode': 'migration',
      ...channel,
      ...(people.length > 0 ? { members: people } : {}),
    };
    return this.add(`${this.base}/channels`, body, signal);
  }

  async complete(channelId: string, signal: AbortSignal): Promise<void> {
    await this.connection.ask({ method: 'POST', path: `${this.channel(channelId)}/completeMigration`, signal });
  }

  tabs(channelId: string, signal: AbortSignal) {
    return this.all(`${this.channel(channelId)}/tabs?$expand=teamsApp`, signal);
  }

  createTab(channelId: string, { teamsApp, ...tab }: JsonObject, signal: AbortSignal) {
    return this.add(`${this.channel(channelId)}/tabs`, { ...tab, ...boundApp(String(teamsApp)) }, signal);
  }

  async *posts(channelId: string, signal: AbortSignal): AsyncGenerator<JsonObject> {
    const posts = `${this.channel(channelId)}/messages?$top=50&$expand=replies`;
    for await (const { value } of this.connection.pages({ path: posts, signal })) {
      for (const post of value) yield { ...post, replies: await this.repliesOf(post, signal) };
    }
  }

  post(channelId: string, postId: string | null, message: JsonObject, signal: AbortSignal) {
    const posts = `${this.channel(channelId)}/messages`;
    return this.add(postId === null ? posts : `${posts}${path`/${postId}/replies`}`, message, signal);
  }

  private async repliesOf(post: JsonObject, signal: AbortSignal): Promise<JsonObject[]> {
    const next = textOf(post['replies@odata.nextLink']);
    return [...objectsOf(post['replies']), ...(next === undefined ? [] : await this.all(next, signal))];
  }

  private add(at: string, body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return this.connection.ask({ method: 'POST', path: at, body, signal });
  }

  private async all(at: string, signal: AbortSignal): Promise<JsonObject[]> {
    const all: JsonObject[] = [];
    for await (const { value } of this.connection.pages({ path: at, signal })) all.push(...value);
    return all;
  }

  private channel(channelId: string): string {
    return `${this.base}${path`/channels/${channelId}`}`;
  }
}
