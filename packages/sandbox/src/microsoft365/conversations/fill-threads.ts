import { mix, pick, textHash, uid, whole } from '../../world/random.ts';
import type { Directory } from '../directory/directory.ts';
import { sentences, subjects } from '../mail/phrases.ts';
import type { Tenant } from '../tenant.ts';
import type { TenantFacts } from '../tenant-facts.ts';
import { type GroupPost, GroupThreads, type Writer } from './group-threads.ts';

const dayMs = 86_400_000;

/** Threads of one to five posts in every script; some posts say that they carry files. */
export function buildThreads({ seed, madeMs }: TenantFacts, directory: Directory): GroupThreads {
  return new GroupThreads((groupId) => {
    const story = mix(seed, textHash(groupId), 1201);
    const count = whole(4, 14, story, 1);
    return Array.from({ length: count }, (_, number) => {
      const startMs = madeMs - whole(2, 200, story, number, 2) * dayMs;
      const posts = Array.from({ length: whole(1, 5, story, number, 3) }, (_, at) =>
        postOf(mix(story, number, at), writersOf(directory, groupId), startMs + at * 3_600_000),
      );
      const topic = pick(subjects, story, number, 4);
      return { id: mailId(story, number, 5), conversationId: mailId(story, number, 6), topic, posts };
    });
  });
}

/** Changes the threads of one group: adds a thread or a post, or deletes a thread. */
export function evolveThreads(tenant: Tenant, step: number): void {
  const groups = tenant.directory.groups.filter(({ kind }) => kind === 'microsoft365');
  const group = groups[mix(tenant.seed, step, 1211) % Math.max(1, groups.length)];
  if (!group) return;
  const threads = tenant.groupThreads.of(group.id);
  const story = mix(tenant.seed, step, 1212);
  const thread = threads[story % Math.max(1, threads.length)];
  const post = postOf(story, writersOf(tenant.directory, group.id), tenant.nowMs());
  if (step % 4 === 0 || !thread)
    threads.push({ id: mailId(story, 5), conversationId: mailId(story, 6), topic: `News ${step}`, posts: [post] });
  else if (step % 4 === 3 && threads.length > 3) threads.splice(threads.indexOf(thread), 1);
  else thread.posts.push(post);
}

type Writers = readonly [Writer, ...Writer[]];

function writersOf(directory: Directory, groupId: string): Writers {
  const members = directory.findGroup(groupId)?.memberIds.flatMap((id) => directory.findUser(id) ?? []) ?? [];
  const writers = members.map(({ displayName, userPrincipalName }) => ({
    name: displayName,
    address: userPrincipalName,
  }));
  return [{ name: 'A customer', address: 'customer@fabrikam.example' }, ...writers];
}

function postOf(story: number, writers: Writers, atMs: number): GroupPost {
  const html = `<html><body><p>${pick(sentences, story, 1)}</p><p>${pick(sentences, story, 2)}</p></body></html>`;
  const from = pick(writers, story, 3);
  const hasAttachments = mix(story, 4) % 6 === 0;
  return { id: mailId(story, 7), from, html, hasAttachments, createdMs: atMs, modifiedMs: atMs, change: 0 };
}

/** Such as Exchange makes them: long and case-sensitive. */
const mailId = (...story: number[]) => `AAQkAD${Buffer.from(uid(...story)).toString('base64url')}=`;
