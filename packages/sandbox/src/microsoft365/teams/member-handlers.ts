import { userOfMember } from '../chats/member-entity.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { objectOf, textsOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import { boundUser, forbidden, teamOf } from './team-call.ts';
import { teamMembers } from './team-entity.ts';

export function listTeamMembers(call: GraphCall): GraphReply {
  return collectionReply(call, teamMembers(teamOf(call), call.tenant), { context: 'Collection(conversationMember)' });
}

/** Members of a team are members of its group. */
export function addTeamMember(call: GraphCall): GraphReply {
  const { directory } = call.tenant;
  const team = teamOf(call);
  if (team.isMigrating) throw forbidden('Members cannot be added while the team is in migration mode.');
  const body = objectOf(call.body);
  const userId = boundUser(call, body);
  const group = directory.group(team.id);
  const isOwner = (textsOf(body['roles']) ?? []).includes('owner');
  directory.putGroup({
    ...group,
    memberIds: [...new Set([...group.memberIds, userId])],
    ownerIds: isOwner ? [...new Set([...group.ownerIds, userId])] : group.ownerIds,
  });
  const added = teamMembers(team, call.tenant).find((member) => member['userId'] === userId);
  return entityReply(call, added ?? {}, { context: 'conversationMember/$entity' }, 201);
}

export function removeTeamMember(call: GraphCall): GraphReply {
  const { directory } = call.tenant;
  const group = directory.group(teamOf(call).id);
  const userId = userOfMember(call.params['member'] ?? '');
  if (userId === undefined || !group.memberIds.includes(userId)) {
    throw new GraphError(404, 'NotFound', 'The member was not found.');
  }
  const without = (ids: readonly string[]) => ids.filter((id) => id !== userId);
  directory.putGroup({ ...group, memberIds: without(group.memberIds), ownerIds: without(group.ownerIds) });
  return { status: 204 };
}
