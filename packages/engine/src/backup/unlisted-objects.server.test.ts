import { expect, test } from 'vitest';
import { EngineError } from '../model/engine-error.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ListingNote, Selection } from '../source/source.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { type BackupParts, type BackupResult, backUp } from './backup.ts';

const database = useDatabase();

/** A source whose list a test writes: what comes, and how it ends. */
class ListedSource extends WrittenSource {
  list: (ProtectedObject | ListingNote)[] = [];
  breaksOff = false;

  override async *listObjects(): AsyncGenerator<ProtectedObject | ListingNote> {
    yield* this.list;
    if (this.breaksOff) throw new EngineError('source-unreachable', 'The list of users broke off.');
  }
}

function mailbox(id: string): WrittenObject {
  const written = new WrittenObject(id);
  written.put(`${id}-1`, {
    kind: 'message',
    name: `Of ${id}`,
    parentId: null,
    contents: { properties: Buffer.from(id) },
  });
  return written;
}

async function world() {
  const parts = await database.parts();
  const [ada, bob, cleo] = ['ada', 'bob', 'cleo'].map(mailbox) as [WrittenObject, WrittenObject, WrittenObject];
  const source = new ListedSource(ada, bob, cleo);
  source.list = source.objects.map(({ object }) => object);
  const run = (selection: Partial<Selection> = {}, more: Partial<BackupParts> = {}) =>
    backUp(
      { ...parts, source, signal: new AbortController().signal, ...more },
      { id: 'job', name: 'Job', selection: { ...EVERYTHING, ...selection } },
    );
  return { parts, source, ada, bob, cleo, run };
}

const keyOf = ({ repository }: TestParts, { object }: WrittenObject) => repository.objectKey(object);

async function shows(parts: TestParts, { objects }: BackupResult, written: WrittenObject): Promise<boolean> {
  const [, revision] = objects.find(([key]) => key === keyOf(parts, written)) ?? [];
  if (revision === undefined) return false;
  const state = await restoredState(parts.repository, parts.catalog, keyOf(parts, written), revision);
  return JSON.stringify(state) === JSON.stringify(writtenState(written));
}

test('what is not listed any more is named once, lowers the outcome once, and stays in every later restore point', async () => {
  const { parts, source, bob, run } = await world();
  expect((await run()).outcome).toBe('Success');
  source.list = source.list.filter((one) => one !== bob.object);
  const second = await run();
  expect([second.outcome, second.findings.failures]).toMatchObject(['Warning', [{ objectName: bob.object.name }]]);
  expect(second.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unlisted' });
  const third = await run();
  expect([third.outcome, third.findings.failures]).toEqual(['Success', []]);
  expect(third.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unlisted' });
  for (const point of [second, third]) expect(await shows(parts, point, bob)).toBe(true);
  source.list.push(bob.object);
  expect(await run()).toMatchObject({ outcome: 'Success', findings: { objects: {} } });
});

test('a listing that breaks off fails the run, and says how many of the last backup were not reached', async () => {
  const { parts, source, ada, bob, cleo, run } = await world();
  await run();
  source.list = [ada.object];
  source.breaksOff = true;
  ada.put('new', { kind: 'message', name: 'New', parentId: null, contents: { properties: Buffer.from('new') } });
  const broken = await run();
  expect(broken.outcome).toBe('Failed');
  expect(broken.findings.failures.map(({ message }) => message).join(' ')).toMatch(/broke off.*2 were not reached/s);
  expect(broken.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unread', [keyOf(parts, cleo)]: 'unread' });
  for (const written of [ada, bob, cleo]) expect(await shows(parts, broken, written)).toBe(true);
  source.breaksOff = false;
  source.list = [ada.object, bob.object, cleo.object];
  expect((await run()).outcome).toBe('Success');
});

test('a subject that is refused is a failure that names it in every run, and its objects stay as they were', async () => {
  const { parts, source, ada, bob, cleo, run } = await world();
  await run();
  const unlisted = { subject: `user/${bob.object.id}`, name: 'Bob' };
  source.list = [ada.object, { code: 'subject-refused', message: 'Bob is refused.', unlisted }, cleo.object];
  for (let times = 0; times < 2; times += 1) {
    const result = await run();
    expect(result.outcome).toBe('Warning');
    expect(result.findings.failures).toEqual([{ objectName: 'Bob', message: 'Bob is refused.' }]);
    expect(result.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unread' });
    expect(await shows(parts, result, bob)).toBe(true);
  }
});

test('an object that was removed from the job is not missed', async () => {
  const { source, ada, bob, run } = await world();
  await run();
  source.list = [ada.object];
  const exclude = ['bob', 'cleo'].map((id) => ({ type: 'user', id }) as const);
  const result = await run({ exclude });
  expect([result.outcome, result.objects.length]).toEqual(['Success', 1]);
  source.list = [bob.object];
  const include = [{ type: 'user', id: 'bob' }] as const;
  expect(await run({ scope: 'selected', include })).toMatchObject({ outcome: 'Success', findings: { objects: {} } });
});

test('a run that was stopped shows what it did not reach as it was before', async () => {
  const { parts, ada, bob, run } = await world();
  await run();
  const stopped = new AbortController();
  ada.put('new', { kind: 'message', name: 'New', parentId: null, contents: { properties: Buffer.from('new') } });
  bob.script = [() => stopped.abort()];
  const result = await run({}, { signal: stopped.signal, objectsAtOnce: 1 });
  expect([result.outcome, result.objects.length]).toEqual(['Stopped', 3]);
  expect(await shows(parts, result, bob)).toBe(true);
});

test('every object that is not whole carries a flag, also those that the list of failures has no room for', async () => {
  const { parts, source, ada, run } = await world();
  const message = 'A folder failed.';
  ada.script = Array.from({ length: 1_001 }, () => ({ type: 'failure', message }) as const);
  const last = mailbox('zoe');
  last.put('bad', { kind: 'message', name: 'Bad', parentId: null, contents: {}, fault: 'unreadable' });
  source.objects.push(last);
  source.list.push(last.object);
  const { run: id, findings } = await run({}, { objectsAtOnce: 1 });
  expect(findings.failures.length).toBe(1_000);
  expect(findings.objects).toEqual({ [keyOf(parts, ada)]: 'incomplete', [keyOf(parts, last)]: 'incomplete' });
  expect((await parts.catalog.restorePoint(id))?.findings.objects).toEqual(findings.objects);
});
