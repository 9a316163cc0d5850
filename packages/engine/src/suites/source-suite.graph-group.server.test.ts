import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { type GraphObject, openGraphWorld } from '../testing/graph/graph-world.ts';
import { sourceSuite } from './source-suite.ts';

// Threads have no delta, and so no place to lose.
sourceSuite('The mailbox of a group in Microsoft Graph as a source', () =>
  openGraphWorld({ kind: 'mailbox', isMeant: isOfGroup, change }),
);

function change({ tenant: { tenant }, object }: GraphObject): void {
  const threads = tenant.groupThreads.of(object.id);
  const [edited, answered, gone] = threads;
  const [post] = edited?.posts ?? [];
  if (!post || !answered || !gone) throw new Error('The group has too few threads.');
  const atMs = tenant.nowMs();
  edited?.posts.push({ ...post, id: 'second', html: '<p>Another</p>', createdMs: atMs });
  post.html = '<p>Edited ünïcode 😀</p>';
  post.change += 1;
  answered.posts.splice(0, answered.posts.length, { ...post, id: 'first', createdMs: atMs });
  threads.splice(threads.indexOf(gone), 1);
  threads.push({ id: 'made', conversationId: 'made', topic: 'Made', posts: [{ ...post, id: 'made-post' }] });
}
