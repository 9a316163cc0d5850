import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Losses } from '../../model/accepted-losses.ts';
import { NO_COUNTS } from '../../model/outcome.ts';
import { openFolderStore } from '../../store/folder/folder-store.ts';
import { gathered } from '../../testing/gathered.ts';
import { KnownPacks } from '../../testing/known-packs.ts';
import { Random } from '../../testing/random.ts';
import { inPieces } from '../../testing/written-source.ts';
import { encodeLines } from '../base64-lines.ts';
import {
  type Commit,
  type KnownCommit,
  newRunId,
  type ObjectChange,
  type ObjectSection,
  type RunEnd,
  type StoredPack,
} from '../commit.ts';
import { createRepository } from '../open-repository.ts';

/**
 * Makes the repository of the test vectors: two runs over one mailbox, a verify that finds something, a mailbox that was erased, a prune, and
 * what was accepted as lost. It was run once; what it made is what every later version has to
 * read. Run again it makes another one, with other keys.
 */
const root = join(import.meta.dirname, 'repository');
let seconds = 0;
// Each run a second later, so that their names have their order.
const now = () => new Date(Date.UTC(2026, 10, 21, 9, 30, seconds++));
const passwordCost = { memoryKiB: 64, passes: 1, lanes: 1 };
const options = {
  passwordCost,
  now,
  program: 'vectors',
  chunkSizes: { minBytes: 1_024, averageBytes: 4_096, maxBytes: 262_144 },
};
const repository = await createRepository(await openFolderStore(root), 'the password of the vectors', options);
const random = new Random(1);
const attachment = random.bytes(9_000);
const mail = (end: 'crlf' | 'lf', subject: string) =>
  Buffer.concat([
    Buffer.from(`Subject: ${subject}\r\n\r\n--b\r\n\r\n`),
    encodeLines(attachment, { base64: 76, end }),
    Buffer.from('\r\n--b--\r\n'),
  ]);
const runs: [string, string, Record<string, Buffer>][][] = [
  [
    ['folder', 'Inbox', { properties: Buffer.from('{"displayName":"Inbox"}') }],
    ['empty', 'Empty', { file: Buffer.alloc(0) }],
    ['one', 'Grüße', { properties: Buffer.from('{}'), mime: mail('crlf', 'one') }],
    ['gone', 'Gone', { properties: Buffer.from('soon gone') }],
  ],
  [
    ['one', 'Grüße 2', { properties: Buffer.from('{"isRead":true}'), mime: mail('crlf', 'one') }],
    ['two', 'Two', { mime: mail('lf', 'two') }],
    ['long', 'Long', { file: random.bytes(1_500_000) }],
    // Nothing in it where it could be cut: a chunk that is too large for a group.
    ['even', 'Even', { file: Buffer.alloc(200_000, 'even') }],
  ],
];
const object = {
  organizationId: 'contoso',
  kind: 'mailbox',
  id: 'ada',
  name: 'Ada',
  owner: null,
  address: 'ada@contoso.example',
} as const;
const key = repository.objectKey(object);
const items = new Map<string, unknown>();
const restorePoints: unknown[] = [];
const index = new KnownPacks();
const packs: StoredPack[] = [];
let follows: KnownCommit[] = [];
for (const [at, written] of runs.entries()) {
  const header = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
  const run = await repository.startRun(header, index);
  await run.commit({ follows });
  await run.claims.claim([key], run.lastSequence);
  const changes: ObjectChange[] = [];
  for (const [id, name, bytes] of written) {
    const parentId = id === 'folder' ? null : 'folder';
    const named = Object.entries(bytes).map(([content, all]) => ({ name: content as 'mime', bytes: pieces(all) }));
    const contents = await run.write(named);
    const sizeBytes = contents.reduce((sum, content) => sum + content.sizeBytes, 0);
    const kind = id === 'folder' ? 'mail-folder' : 'message';
    changes.push({
      type: 'put',
      item: { id, kind, parentId, name, sizeBytes, modifiedAt: now(), details: {}, contents },
    });
    const digests = Object.entries(bytes).map(([content, all]) => [
      content,
      createHash('sha256').update(all).digest('hex'),
    ]);
    items.set(id, { id, name, parent: parentId, contents: Object.fromEntries(digests) });
  }
  if (at === 1) changes.push({ type: 'remove', item: 'gone' });
  changes.push({ type: 'cursor', scope: 'all', value: String(at) });
  const section: ObjectSection = { ...object, key, revision: at + 1, at: now(), changes };
  const findings = { failures: [], lost: [], skipped: [], alerts: [] };
  const end: RunEnd = { outcome: 'Success', finishedAt: now(), counts: NO_COUNTS, objects: [[key, at + 1]], findings };
  const last = await run.end({ sections: [section], end: () => end });
  await run.claims.end(run.lastSequence, [[key, at + 1]]);
  index.add(last.packs);
  packs.push(...last.packs);
  follows = [[run.id, last.sequence]];
  restorePoints.push({ outcome: 'Success', objects: [[key, at + 1]] });
}
items.delete('gone');
const verify = await repository.startRun(
  { kind: 'verify', job: 'verify', jobName: 'Verify', organizationId: '' },
  index,
);
const damage = packs
  .slice(0, 1)
  .map(({ name, chunks }) => ({ pack: name, chunks: chunks.slice(0, 2).map(({ id }) => id) }));
await verify.commit({ follows });
await verify.commit({ damage });
const findings = { failures: [], lost: [], skipped: [], alerts: [] };
await verify.end({
  end: () => ({ outcome: 'Success', finishedAt: now(), counts: NO_COUNTS, objects: [], findings }),
});
// A mailbox that is backed up and erased, and the commit that says less in the place of the first one.
const erased = { ...object, id: 'bob', name: 'Bob', address: 'bob@contoso.example' };
const erasedKey = repository.objectKey(erased);
const backup = await repository.startRun(
  { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' },
  index,
);
await backup.commit({});
const [bytes] = await backup.write([{ name: 'mime', bytes: Buffer.from('Erased') }]);
const secret = {
  id: 'secret',
  kind: 'message',
  parentId: null,
  name: 'Secret',
  sizeBytes: 6,
  modifiedAt: null,
} as const;
const put: ObjectChange = {
  type: 'put',
  item: { ...secret, details: {}, contents: bytes === undefined ? [] : [bytes] },
};
const secrets: ObjectSection = { ...erased, key: erasedKey, revision: 1, at: now(), changes: [put] };
const said = await backup.end({
  sections: [secrets],
  end: () => ({ outcome: 'Success', finishedAt: now(), counts: NO_COUNTS, objects: [[erasedKey, 1]], findings }),
});
const erase = await repository.startRun({ kind: 'erase', job: 'erase', jobName: 'Erase', organizationId: '' }, index);
await erase.commit({});
await erase.commit({ erasedPacks: said.packs.map(({ name }) => name) });
const unnamed = { kind: 'mailbox', organizationId: '', id: '', name: '', owner: null, address: null } as const;
const erasure: ObjectChange = { type: 'erased', by: 'Grace', reason: 'Request 17', items: 1, bytes: 6 };
await erase.commit({
  sections: [{ ...unnamed, key: erasedKey, revision: 2, at: now(), changes: [erasure] }],
});
const lessOf = (commit: Commit): Commit => ({ ...commit, sections: [{ ...secrets, ...unnamed, changes: [] }] });
await erase.replaceCommit(said.run, said.sequence, lessOf);
await erase.end({
  end: () => ({ outcome: 'Success', finishedAt: now(), counts: NO_COUNTS, objects: [], findings }),
});
restorePoints.push({ outcome: 'Success', objects: [[erasedKey, 1]] });
// What is gone of a job that two organizations have, and what was lost before and accepted.
const prune = await repository.startRun({ kind: 'prune', job: 'prune', jobName: 'Prune', organizationId: '' }, index);
await prune.commit({});
const [first, second] = [new Date(Date.UTC(2026, 8, 1)), new Date(Date.UTC(2026, 9, 1))];
await prune.end({
  expiredJobs: [
    { organizationId: 'contoso', job: 'job', before: first },
    { organizationId: 'fabrikam', job: 'job', before: second },
  ],
  end: () => ({ outcome: 'Success', finishedAt: now(), counts: NO_COUNTS, objects: [], findings }),
});
const expired = { contoso: { job: first }, fabrikam: { job: second } };
const losses: Losses = {
  at: now(),
  commits: [[newRunId(first), 1, 2]],
  revisions: [[repository.objectKey({ ...object, id: 'carol' }), 3, 7]],
  openRuns: [newRunId(second)],
  chunks: [...damage.map(({ pack, chunks }) => [pack, chunks] as const), ['', ['AAAAAAAAAAAAAAAAAAAAAA']]],
};
await repository.acceptLosses(losses);
// Of the first run there is only what a segment has, of the second its own journal, too.
const [oldest, next] = await gathered(repository.listJournals());
const lock = await repository.lock('shared');
if (oldest !== undefined && next !== undefined) await repository.createSegment([oldest, next], lock);
await lock.release();
const [segment] = await repository.listSegments();
if (oldest !== undefined && segment !== undefined) await repository.deleteSegmented(segment, oldest);
await writeFile(
  join(root, '..', 'contents.json'),
  `${JSON.stringify({ items: [...items.values()], restorePoints, damage, givenBack: { key, revision: runs.length }, erased: { key: erasedKey, revision: 2, packs: said.packs.map(({ name }) => name) }, expired, losses }, null, 2)}\n`,
);

async function* pieces(bytes: Buffer) {
  yield* inPieces(bytes);
}
