import { mix, textHash, uid } from '../../world/random.ts';
import { say, type Talk, talk } from '../chats/say.ts';
import type { Tenant } from '../tenant.ts';
import type { Channel } from './channel.ts';
import { installationIdOf } from './installed-app-handlers.ts';
import { storeApps, type Team } from './team.ts';
import { addChannel, allTeams } from './team-making.ts';

const dayMs = 86_400_000;

/** The teams of the world's groups: channels of every kind, talk, tabs and apps. */
export function fillTeams(tenant: Tenant): void {
  for (const team of allTeams(tenant)) {
    const { createdMs } = team;
    const at = (days: number) => createdMs + days * dayMs;
    addChannel(tenant, team, { displayName: 'Planung & Überblick', createdMs: at(1) });
    const members = membersOf(tenant, team);
    const some = new Map(members.slice(0, 2).map(({ id }, number) => [id, number === 0 ? ['owner'] : []]));
    addChannel(tenant, team, {
      displayName: 'Leitung',
      membershipType: 'private',
      createdMs: at(2),
      members: some,
    });
    addChannel(tenant, team, {
      displayName: 'Partner',
      membershipType: 'shared',
      createdMs: at(3),
      members: some,
    });
    for (const channel of team.channels.values()) {
      talk(channel.conversation, storyOf(tenant, team, channel, channel.membershipType === 'standard' ? 25 : 8));
      addTabs(channel);
    }
    team.installedApps = storeApps.slice(0, 3).map(({ id }) => ({ id: installationIdOf(team.id, id), appId: id }));
  }
}

function addTabs(channel: Channel): void {
  const seed = textHash(channel.id);
  for (const [number, { id: appId, displayName }] of storeApps.slice(0, 2).entries()) {
    const contentUrl = `https://contoso.example/tab/${number}?q=ä`;
    const configuration = { entityId: `e${number}`, contentUrl, websiteUrl: contentUrl, removeUrl: null };
    channel.tabs.push({ id: uid(seed, number, 1201), displayName, appId, configuration });
  }
}

function membersOf(tenant: Tenant, team: Team) {
  const { ownerIds, memberIds } = tenant.directory.group(team.id);
  const ids = [...new Set([...ownerIds, ...memberIds])];
  return ids.flatMap((id) => tenant.drives.people.user(id) ?? []);
}

function storyOf(tenant: Tenant, team: Team, channel: Channel, count: number): Talk {
  return {
    seed: mix(tenant.seed, textHash(channel.id)),
    people: membersOf(tenant, team),
    count,
    fromMs: channel.createdMs,
    toMs: tenant.madeMs - dayMs,
    messagesUrl: `https://graph.microsoft.com/v1.0/teams/${team.id}/channels/${channel.id}/messages`,
    hasReplies: true,
  };
}

/** Changes one channel: posts, replies to, edits or deletes a message. */
export function evolveTeams(tenant: Tenant, step: number): void {
  const teams = allTeams(tenant);
  const team = teams[mix(tenant.seed, step, 1211) % Math.max(1, teams.length)];
  const channels = [...(team?.channels.values() ?? [])];
  const channel = channels[mix(tenant.seed, step, 1212) % Math.max(1, channels.length)];
  if (!team || !channel || channel.migration?.mode === 'inProgress') return;
  const { conversation } = channel;
  const post = conversation.posts[mix(tenant.seed, step, 1213) % Math.max(1, conversation.posts.length)];
  const story = storyOf(tenant, team, channel, 0);
  const nowMs = tenant.nowMs();
  if (!post || step % 4 === 0) say(conversation, story, 1000 + step, nowMs);
  else if (step % 4 === 1) say(conversation, story, 1000 + step, nowMs, post.id);
  else if (step % 4 === 2) conversation.edit(post, `<p>Edited in step ${step}</p>`, nowMs);
  else conversation.remove(post, nowMs);
}
