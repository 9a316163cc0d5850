import type { ConversationCall } from '../chats/message-handlers.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Channel } from './channel.ts';
import type { Team } from './team.ts';
import { channelOf, findTeam } from './team-making.ts';

/** The team a call is about. @throws GraphError 404 */
export const teamOf = ({ tenant, params }: GraphCall): Team =>
  findTeam(tenant, params['team'] ?? params['group'] ?? '');

/** The channel a call is about. @throws GraphError 404 */
export function teamChannelOf(call: GraphCall): { team: Team; channel: Channel } {
  const team = teamOf(call);
  return { team, channel: channelOf(team, call.params['channel'] ?? '') };
}

/** The conversation of the channel a call is about. */
export function channelConversation(call: GraphCall): ConversationCall {
  const { team, channel } = teamChannelOf(call);
  const place = { teamId: team.id, channelId: channel.id, tenantId: call.tenant.id };
  return { call, conversation: channel.conversation, place };
}

export const refused = (message: string): GraphError => new GraphError(400, 'BadRequest', message);
export const forbidden = (message: string): GraphError => new GraphError(403, 'Forbidden', message);

/** The user a `user@odata.bind` names: `…/users('id')` or `…/users/id`. @throws GraphError 400 */
export function boundUser({ tenant }: GraphCall, member: JsonObject): string {
  const bind = String(member['user@odata.bind'] ?? '');
  const key = /users(?:\('|\/)([^')]+)/.exec(bind)?.[1] ?? '';
  const user = tenant.directory.findUser(decodeURIComponent(key));
  if (!user) throw refused(`The member '${bind}' does not exist in the directory.`);
  return user.id;
}

/** @throws GraphError 400 for no instant */
export function instantAt(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const ms = Date.parse(String(value));
  if (Number.isNaN(ms)) throw refused(`'${String(value)}' is not an instant.`);
  return ms;
}
