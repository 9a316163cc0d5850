import type { People } from '../drives/identity-set.ts';
import type { JsonObject } from '../wire/json.ts';

/** The `aadUserConversationMember` of the wire; its id is made of conversation and user. */
export function memberEntity(
  userId: string,
  roles: readonly string[],
  { conversationId, people, tenantId }: { conversationId: string; people: People; tenantId: string },
): JsonObject {
  const user = people.user(userId);
  return {
    '@odata.type': '#microsoft.graph.aadUserConversationMember',
    id: memberIdOf(conversationId, userId),
    roles,
    displayName: user?.displayName ?? null,
    visibleHistoryStartDateTime: '0001-01-01T00:00:00Z',
    userId,
    email: user?.mail ?? null,
    tenantId,
  };
}

export const memberIdOf = (conversationId: string, userId: string): string =>
  Buffer.from(`${conversationId}##${userId}`).toString('base64url');

/** The user of a member's id; `undefined` for what is none. */
export const userOfMember = (memberId: string): string | undefined =>
  Buffer.from(memberId, 'base64url').toString().split('##')[1];
