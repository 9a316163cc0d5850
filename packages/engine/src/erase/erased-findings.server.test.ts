import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { EngineError } from '../model/engine-error.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { erase } from './erase.ts';
import { journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const bytes = (text: string) => ({ mime: Buffer.from(text) });

/** A site and a team of one name with a lost and a skipped item each, and a mailbox whose failure says that name. */
async function namesakes() {
  const parts = await database.parts();
  const [site, team, other] = ['site-1', 'team-1', 'other'].map((id) => new WrittenObject(id, 'drive'));
  if (site === undefined || team === undefined || other === undefined) throw new Error('There are three.');
  const failure = { type: 'failure', message: 'The folder Sales plans could not be read to the end.' } as const;
  for (const written of [site, team]) {
    const { id } = written.object;
    Object.assign(written.object, { name: 'Sales' });
    written.put('a', { kind: 'file', name: 'A', parentId: null, contents: bytes(id) });
    written.put('bad', { kind: 'file', name: `Bad of ${id}`, parentId: null, contents: {}, fault: 'unreadable' });
  }
  other.put('a', { kind: 'file', name: 'A', parentId: null, contents: bytes('other') });
  const back = async (...written: WrittenObject[]) => {
    for (const one of written)
      one.script ??= [failure, { type: 'alert', alert: { code: 'odd', message: one.object.id } }];
    return backUp({ ...parts, source: new WrittenSource(...written), signal: new AbortController().signal }, JOB);
  };
  const readWhole = (...written: WrittenObject[]) =>
    backUp({ ...parts, source: new WrittenSource(...written), signal: new AbortController().signal }, JOB);
  const eraseOne = ({ object }: WrittenObject) =>
    erase(parts.repository, parts.catalog, {
      subject: { type: 'object', id: parts.repository.objectKey(object) },
      reason: 'Request 17',
      by: 'Grace',
    });
  return { ...parts, site, team, other, back, readWhole, eraseOne };
}

test('findings of an erased object go, and those of others stay, whatever names they have or say', async () => {
  const { repository, catalog, site, team, other, back, readWhole, eraseOne } = await namesakes();
  const runs = [(await readWhole(site, team, other)).run, (await back(site, team, other)).run];
  const key = repository.objectKey(site.object);
  const left = async () => {
    const points = await Promise.all(runs.map((run) => catalog.restorePoint(run)));
    return points.map((point) => {
      const { failures = [], lost = [], skipped = [], alerts = [] } = point?.findings ?? {};
      return [...failures, ...lost, ...skipped, ...alerts];
    });
  };
  const before = await left();
  expect(before.flat().filter(({ objectKey }) => objectKey === key).length).toBeGreaterThan(3);
  await eraseOne(site);
  const after = before.map((findings) => findings.filter(({ objectKey }) => objectKey !== key));
  expect(await left()).toEqual(after);
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await left()).toEqual(after);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
});

test('findings of what is backed up again after an erasure stay when journals are read once more', async () => {
  const { repository, catalog, site, team, readWhole, eraseOne } = await namesakes();
  await readWhole(site, team);
  await eraseOne(site);
  const { run } = await readWhole(site, team);
  const lost = async () => (await catalog.restorePoint(run))?.findings.lost.map(({ objectKey }) => objectKey);
  const both = [site, team].map(({ object }) => repository.objectKey(object));
  expect((await lost())?.sort()).toEqual(both.sort());
  await eraseOne(team);
  expect(await lost()).toEqual([repository.objectKey(site.object)]);
  await rebuild(repository, catalog);
  expect(await lost()).toEqual([repository.objectKey(site.object)]);
});

test('findings of what could never be read beside an erased object go by its name', async () => {
  const { repository, catalog, other, readWhole, eraseOne } = await namesakes();
  const [mailbox, archive] = [new WrittenObject('ada'), new WrittenObject('archive-of-a', 'archive')];
  for (const { object } of [mailbox, archive]) Object.assign(object, { name: 'Ada Lovelace' });
  mailbox.put('a', { kind: 'message', name: 'A', parentId: null, contents: bytes('a') });
  archive.script = [
    () => {
      throw new EngineError('source-refused', 'It answers 403.');
    },
  ];
  const { run } = await readWhole(mailbox, archive, other);
  const failures = async () => (await catalog.restorePoint(run))?.findings.failures;
  expect(await failures()).toMatchObject([{ objectName: 'Ada Lovelace' }]);
  await eraseOne(mailbox);
  expect(await failures()).toEqual([]);
  expect(await journalText(repository)).not.toContain('Lovelace');
});
