import { expect, test } from 'vitest';
import { NO_COUNTS } from '../model/outcome.ts';
import { type Commit, emptyCommit, type RunEnd } from '../repository/commit.ts';
import type { CommitContent } from '../repository/repository.ts';
import { itemOf } from '../testing/written-source.ts';
import { Committer } from './committer.ts';
import { ObjectChanges } from './object-changes.ts';

/** So many changes make a commit due. */
const DUE = 5_000;
const FINDINGS = { failures: [], lost: [], skipped: [], alerts: [] };
const AT = new Date('2026-11-21T12:00:00Z');
const END: RunEnd = { outcome: 'Success', finishedAt: AT, counts: NO_COUNTS, objects: [], findings: FINDINGS };

const NOTHING_KNOWN = { current: async () => new Map(), async *currentIds() {} };

/** A run and a catalog in memory, whose steps last until the test lets them go on. */
class Bed {
  readonly log: string[] = [];
  readonly stored: Commit[] = [];
  readonly applied: Commit[] = [];
  /** What the next writing, or applying, waits for. */
  writing: Promise<void> = Promise.resolve();
  applying: Promise<void> = Promise.resolve();
  readonly committer = new Committer(
    { commit: (content) => this.write(content, null), end: ({ end, ...content }) => this.write(content, end()) },
    { apply: (commit) => this.apply(commit) },
    () => AT,
  );

  /** An object that is being read; the log records when it is given back. */
  join(id: string, revision = 0): ObjectChanges {
    const object = { organizationId: 'contoso', kind: 'mailbox', id, name: id, owner: null, address: null } as const;
    const changes = new ObjectChanges(object, id, revision, NOTHING_KNOWN);
    this.committer.join(changes, { lostRevision: null, release: () => void this.log.push(`free ${id}`) });
    return changes;
  }

  private async write({ sections = [] }: CommitContent, end: RunEnd | null): Promise<Commit> {
    this.log.push(`write ${sections.map(({ key, revision }) => `${key}@${revision}`).join(' ')}`);
    await this.writing;
    const commit = { ...emptyCommit('run', this.stored.length + 1), sections, end };
    this.stored.push(commit);
    return commit;
  }

  private async apply(commit: Commit): Promise<void> {
    await this.applying;
    this.log.push(`apply ${commit.sequence}`);
    this.applied.push(commit);
  }
}

function fill(changes: ObjectChanges, count: number, prefix: string): void {
  const written = { kind: 'message', name: 'Mail', parentId: null, contents: {} } as const;
  for (let number = 0; number < count; number += 1)
    changes.add({ type: 'put', item: { ...itemOf(`${prefix}${number}`, written), contents: [] } });
}

const held = () => Promise.withResolvers<void>();
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Ids of what a section brings. */
const idsIn = ({ sections }: Commit) =>
  sections.flatMap(({ changes }) => changes.flatMap((change) => (change.type === 'put' ? [change.item.id] : [])));

test('reading goes on while a commit is written, and waits for it when the next one is due', async () => {
  const bed = new Bed();
  const changes = bed.join('ada');
  const disk = held();
  bed.writing = disk.promise;
  fill(changes, DUE, 'a');
  await bed.committer.commitIfDue();
  fill(changes, DUE - 1, 'b');
  await bed.committer.commitIfDue();
  fill(changes, 1, 'c');
  let isThrough = false;
  const waiting = bed.committer.commitIfDue().then(() => {
    isThrough = true;
  });
  await turn();
  expect([isThrough, bed.log]).toEqual([false, ['write ada@1']]);
  disk.resolve();
  await waiting;
  await bed.committer.end(() => () => END);
  expect(bed.log.slice(0, 4)).toEqual(['write ada@1', 'apply 1', 'write ada@2', 'apply 2']);
});

test('every change is in one commit, once, in the order in which it was read, whatever is read meanwhile', async () => {
  const bed = new Bed();
  const changes = bed.join('ada');
  const expected: string[] = [];
  for (let part = 0; part < 7; part += 1) {
    const disk = held();
    bed.writing = disk.promise;
    fill(changes, 2_300, `${part}-`);
    for (let number = 0; number < 2_300; number += 1) expected.push(`${part}-${number}`);
    const committing = bed.committer.commitIfDue();
    disk.resolve();
    await committing;
  }
  await bed.committer.finish(changes);
  await bed.committer.end(() => () => ({ ...END, objects: bed.committer.revisions() }));
  expect(bed.applied.flatMap(idsIn)).toEqual(expected);
  const revisions = bed.applied.flatMap(({ sections }) => sections.map(({ revision }) => revision));
  expect(revisions).toEqual(revisions.map((_, at) => at + 1));
  expect(bed.applied.at(-1)?.end?.objects).toEqual([['ada', revisions.length]]);
});

test('the catalog hears of a commit only when it is stored, and the end comes when all before it is applied', async () => {
  const bed = new Bed();
  const [disk, database] = [held(), held()];
  bed.writing = disk.promise;
  bed.applying = database.promise;
  const changes = bed.join('ada');
  fill(changes, DUE, 'a');
  await bed.committer.commitIfDue();
  await bed.committer.finish(changes);
  const ending = bed.committer.end(() => () => END);
  await turn();
  expect(bed.log).toEqual(['write ada@1']);
  disk.resolve();
  await turn();
  expect(bed.log).toEqual(['write ada@1']);
  database.resolve();
  await ending;
  expect(bed.log.filter((line) => !line.startsWith('free'))).toEqual(['write ada@1', 'apply 1', 'write ', 'apply 2']);
});

test.each(['writing', 'applying'] as const)(
  'a failure of %s stops the reading at its next step, and no commit follows it',
  async (step) => {
    const bed = new Bed();
    const changes = bed.join('ada');
    bed[step] = Promise.reject(new Error('The disk is full.'));
    fill(changes, DUE, 'a');
    await bed.committer.commitIfDue();
    await turn();
    bed[step] = Promise.resolve();
    fill(changes, 1, 'b');
    await expect(bed.committer.commitIfDue()).rejects.toThrow('The disk is full.');
    await expect(bed.committer.finish(changes)).rejects.toThrow('The disk is full.');
    await expect(bed.committer.end(() => () => END)).rejects.toThrow('The disk is full.');
    expect(bed.log.filter((line) => line.startsWith('write'))).toHaveLength(1);
    await bed.committer.release();
    expect(bed.log.at(-1)).toBe('free ada');
  },
);

test('an object is free for others only when the last of it is applied, and one without anything new keeps its revision', async () => {
  const bed = new Bed();
  const [busy, still] = [bed.join('busy'), bed.join('still', 7)];
  await bed.committer.finish(still);
  fill(busy, DUE, 'a');
  const database = held();
  bed.applying = database.promise;
  await bed.committer.finish(busy);
  await turn();
  expect(bed.log).toEqual(['write busy@1']);
  database.resolve();
  await bed.committer.end(() => () => ({ ...END, objects: bed.committer.revisions() }));
  expect(bed.log).toEqual(['write busy@1', 'apply 1', 'free still', 'free busy', 'write ', 'apply 2']);
  expect(Object.fromEntries(bed.applied.at(-1)?.end?.objects ?? [])).toEqual({ busy: 1, still: 7 });
});

/** A change of an item with as many segments as a large file with all its versions has. */
function fillLarge(changes: ObjectChanges, count: number, prefix: string): void {
  const written = { kind: 'file', name: 'File', parentId: null, contents: {} } as const;
  const segments = Array.from({ length: 1_100 }, (_, at) => [`${prefix}${at}`.padEnd(22, 'x'), 0, 9_999] as const);
  for (let number = 0; number < count; number += 1) {
    const item = itemOf(`${prefix}${number}`, written);
    changes.add({ type: 'put', item: { ...item, contents: [{ name: 'file', sizeBytes: 1, segments }] } });
  }
}

test('however large changes are, no commit exceeds what readers accept: the rest follows in the next commits, in order', async () => {
  const bed = new Bed();
  const [ada, bob] = [bed.join('ada'), bed.join('bob')];
  // 90 MB, from fewer changes than a commit has.
  fillLarge(ada, 1_500, 'a');
  fillLarge(bob, 500, 'b');
  await bed.committer.finish(ada);
  await bed.committer.finish(bob);
  const freed = () => bed.log.filter((line) => line.startsWith('free'));
  await bed.committer.end(() => () => END);
  expect(bed.stored.length).toBeGreaterThan(3);
  for (const { sections } of bed.stored) expect(JSON.stringify(sections).length).toBeLessThan(20 * 2 ** 20);
  const ids = bed.stored.flatMap(idsIn);
  expect(ids.filter((id) => id.startsWith('a'))).toEqual(Array.from({ length: 1_500 }, (_, at) => `a${at}`));
  expect(ids.filter((id) => id.startsWith('b'))).toEqual(Array.from({ length: 500 }, (_, at) => `b${at}`));
  expect(bed.stored.at(-1)?.end).not.toBeNull();
  expect(bed.stored.slice(0, -1).every(({ end }) => end === null)).toBe(true);
  // Each object's revisions follow each other, and it is given back once, with the last.
  const revisions = bed.stored.flatMap(({ sections }) =>
    sections.filter(({ key }) => key === 'ada').map((one) => one.revision),
  );
  expect(revisions).toEqual(revisions.map((_, at) => at + 1));
  await bed.committer.release();
  expect(freed().sort()).toEqual(['free ada', 'free bob']);
  expect(bed.committer.revisions().find(([key]) => key === 'ada')).toEqual(['ada', revisions.length]);
});

test('says that an object ended when all of it is applied, and that it is not committed where the commit failed', async () => {
  const bed = new Bed();
  const [ada, bob] = [bed.join('ada'), bed.join('bob')];
  const ends: string[] = [];
  fill(ada, DUE, 'a');
  const disk = held();
  bed.writing = disk.promise;
  await bed.committer.finish(ada, (isCommitted) => ends.push(`ada ${isCommitted}`));
  await turn();
  expect(ends).toEqual([]);
  disk.resolve();
  fill(bob, 1, 'b');
  await bed.committer.finish(bob, (isCommitted) => ends.push(`bob ${isCommitted}`));
  bed.writing = disk.promise.then(() => Promise.reject(new Error('The disk is full.')));
  await expect(bed.committer.end(() => () => END)).rejects.toThrow('The disk is full.');
  await bed.committer.release();
  expect(ends).toEqual(['ada true', 'bob false']);
});
