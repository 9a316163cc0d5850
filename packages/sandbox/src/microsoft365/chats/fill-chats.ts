import { mix, textHash, uid } from '../../world/random.ts';
import type { People } from '../drives/identity-set.ts';
import type { Tenant } from '../tenant.ts';
import { type Chat, Chats } from './chats.ts';
import { say, type Talk, talk } from './say.ts';

const dayMs = 86_400_000;

/** Chats of two between neighbours of the directory, and chats of groups with and without a topic. */
export function buildChats(tenant: Pick<Tenant, 'seed' | 'madeMs'>, directory: People): Chats {
  const chats = new Chats();
  const people = directory.users();
  for (const [number, person] of people.entries()) {
    const other = people[number + 1];
    if (!other) break;
    const id = `19:${person.id}_${other.id}@unq.gbl.spaces`;
    const createdMs = tenant.madeMs - 300 * dayMs;
    const members = [person, other].map(({ id: userId, displayName }) => ({ id: userId, displayName }));
    const chat = chats.add({ id, chatType: 'oneOnOne', topic: null, createdMs, members });
    talk(chat.conversation, storyOf(chat, tenant, 12));
  }
  for (let start = 0; start + 3 <= people.length; start += 4) {
    const members = people.slice(start, start + 4).map(({ id, displayName }) => ({ id, displayName }));
    const id = `19:${uid(tenant.seed, start, 1101).replaceAll('-', '')}@thread.v2`;
    const topic = start % 8 === 0 ? 'Mittagessen 🍜' : null;
    const chat = chats.add({ id, chatType: 'group', topic, createdMs: tenant.madeMs - 200 * dayMs, members });
    talk(chat.conversation, storyOf(chat, tenant, 30));
  }
  return chats;
}

function storyOf(chat: Chat, tenant: Pick<Tenant, 'seed' | 'madeMs'>, count: number): Talk {
  return {
    seed: mix(tenant.seed, textHash(chat.id)),
    people: chat.members,
    count,
    fromMs: chat.createdMs,
    toMs: tenant.madeMs - dayMs,
    messagesUrl: `https://graph.microsoft.com/v1.0/chats/${chat.id}/messages`,
    hasReplies: false,
  };
}

/** Adds a message to one chat. */
export function evolveChats(tenant: Tenant, step: number): void {
  const all = tenant.chats.all();
  const chat = all[mix(tenant.seed, step, 1111) % Math.max(1, all.length)];
  if (chat) say(chat.conversation, storyOf(chat, tenant, 0), 1000 + step, tenant.nowMs());
}
