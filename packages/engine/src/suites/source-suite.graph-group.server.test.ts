import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { groupMailboxOf } from '../testing/graph-mailbox.ts';
import { startConnected } from '../testing/graph-tenant.ts';
import { sourceSuite } from './source-suite.ts';

sourceSuite('The mailbox of a group in Microsoft Graph as a source', async () => {
  const { tenant, connection } = await startConnected();
  const source = openGraphSource(connection);
  const object = await groupMailboxOf(source);
  return {
    source,
    object,
    change: async () => change(tenant, object),
    // Threads have no delta, and so no place to lose.
    losePlaces: () => {},
    close: () => tenant.stop(),
  };
});

function change({ tenant }: RunningTenant, { id }: ProtectedObject): void {
  const threads = tenant.groupThreads.of(id);
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
