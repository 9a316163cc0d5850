import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../../../browse/testing/stored-backup.ts';
import { exportEml } from '../../../export/outlook-file.ts';
import { exportPst } from '../../../export/pst-export.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { indexWords } from '../../../search/index-words.ts';
import { groupMailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant;
let connection: GraphConnection;
let object: ProtectedObject;

beforeEach(async () => {
  ({ tenant, connection } = await startConnected({ budgets: false }));
  object = await groupMailboxOf(openGraphSource(connection));
});
afterEach(() => tenant.stop());

const threads = () => tenant.tenant.groupThreads.of(object.id);

test('every thread is a folder, and every post in it a message with who wrote it and what', async () => {
  const replica = new Replica(openGraphSource(connection), object);
  await replica.read();
  for (const { id, topic, posts } of threads()) {
    expect(replica.items.get(id)?.item).toMatchObject({
      kind: 'mail-folder',
      name: topic.trim() || '(no subject)',
      parentId: null,
    });
    for (const post of posts) {
      const stored = replica.items.get(post.id);
      expect(stored?.item).toMatchObject({ kind: 'message', name: topic, parentId: id });
      expect(stored?.item.details.from).toContain(post.from.address);
      expect([...(stored?.bytes.keys() ?? [])].sort()).toEqual(['mime', 'properties']);
    }
  }
  const alerts = replica.events.filter((event) => event.type === 'alert');
  expect(alerts).toMatchObject([{ alert: { code: 'attachments-not-offered' } }]);
});

test('a round in which nothing happened reads no post, one with an answer those of its thread alone', async () => {
  const replica = new Replica(openGraphSource(connection), object);
  await replica.read();
  const posts = () => tenant.requests().byOperation['GET /groups/{group}/threads/{thread}/posts'] ?? 0;
  tenant.resetRequests();
  await replica.read();
  expect(posts()).toBe(0);
  const [thread] = threads();
  const [post] = thread?.posts ?? [];
  if (!thread || !post) throw new Error('The group has no thread.');
  thread.posts.push({ ...post, id: 'answer', createdMs: tenant.tenant.nowMs() });
  await replica.read();
  expect(posts()).toBe(1);
  expect(replica.items.has('answer')).toBe(true);
});

test('one thread that cannot be read does not stop the others, and the mailbox is reported as incomplete', async () => {
  const [thread] = threads();
  tenant.setFaults([{ kind: 'corrupt', path: `/groups/*/threads/${encodeURIComponent(thread?.id ?? '')}/posts*` }]);
  const replica = new Replica(openGraphSource(connection), object);
  await replica.read();
  expect(replica.failures).toMatchObject([expect.stringMatching(/the conversation ‘.+’ could not be read to the end/)]);
  const read = [...replica.items.values()].filter(({ item }) => item.kind === 'message');
  expect(read.length).toBe(
    threads()
      .slice(1)
      .flatMap(({ posts }) => posts).length,
  );
});

test('posts are found by their words, and exported as EML and as PST', async () => {
  const stored = await StoredBackup.create();
  try {
    const [post] = threads()[0]?.posts ?? [];
    if (post === undefined) throw new Error('The group has no post.');
    post.html = '<p>The turbine was delivered on Tuesday.</p>';
    await stored.backUpFrom(openGraphSource(connection), 'mailbox');
    const { repository, catalog } = stored;
    const parts = { repository, catalog, signal: new AbortController().signal };
    await indexWords(repository, catalog, parts);
    const [hit] = (await catalog.search({ text: 'turbine tuesday', limit: 5 })).hits;
    expect(hit?.version.id).toBe(post.id);
    if (hit === undefined) throw new Error('The post was not found.');
    const eml = stored.file('post.eml');
    await exportEml(parts, hit.version, eml);
    const script =
      'import email,sys,email.policy\nm=email.message_from_binary_file(open(sys.argv[1],"rb"),policy=email.policy.default)\nprint(m["from"].addresses[0].addr_spec, m.get_body().get_content())';
    const read = execFileSync('python3', ['-c', script, eml]).toString();
    expect(read).toContain(post.from.address);
    expect(read).toContain('The turbine was delivered on Tuesday.');
    const scope = { object: hit.object, revision: hit.object.revision, items: null };
    const pst = await exportPst(parts, scope, stored.file('group.pst'));
    expect(pst).toMatchObject({ items: threads().flatMap(({ posts }) => posts).length, missing: [] });
  } finally {
    await stored.close();
  }
});
