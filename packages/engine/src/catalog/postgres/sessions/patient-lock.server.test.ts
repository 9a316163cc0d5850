import { hostname } from 'node:os';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { EngineError } from '../../../model/engine-error.ts';
import { buildCommit, buildPack } from '../../../suites/catalog-builders.ts';
import { openTestCatalog } from '../../../testing/test-catalog.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import type { CatalogWait, RepositoryCatalog } from '../../catalog.ts';

const NOTHING = async () => undefined;
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

/** A program with the catalog open, and the waits that it reports. */
async function program() {
  const waits: CatalogWait[] = [];
  const stopping = new AbortController();
  const first = Promise.withResolvers<CatalogWait>();
  const onWait = (wait: CatalogWait) => {
    waits.push(wait);
    first.resolve(wait);
  };
  const catalogs = await openTestCatalog(database.url, { onWait, signal: stopping.signal });
  onTestFinished(() => catalogs.close());
  return { catalog: await catalogs.repository('one'), waits, firstWait: first.promise, stopping };
}

/** A pass over all packs that has only begun. */
async function begunPass(catalog: RepositoryCatalog): Promise<{ end(): Promise<unknown> }> {
  await catalog.apply(buildCommit('r', 1, { packs: [buildPack(0, [0])] }));
  const pass = catalog.listPacks()[Symbol.asyncIterator]();
  await pass.next();
  return { end: () => pass.return?.() ?? Promise.resolve() };
}

const holders = [expect.stringMatching(`^keepwatch-engine, process ${process.pid} on ${hostname().slice(0, 10)}`)];

test('a rebuild that waits for a pass says for whom, and takes its place when that has ended', async () => {
  const [verify, rebuild] = [await program(), await program()];
  const pass = await begunPass(verify.catalog);
  const { replace, end } = await rebuild.catalog.successor();
  const replaced = replace(NOTHING);
  expect(await rebuild.firstWait).toEqual({ until: 'passes', holders });
  await pass.end();
  await replaced;
  await end();
  expect(rebuild.waits).toHaveLength(1);
});

test('a rebuild that is stopped while it waits leaves the catalog as it was, and so does a pass that waits behind it', async () => {
  const [verify, rebuild, prune] = [await program(), await program(), await program()];
  const pass = await begunPass(verify.catalog);
  const before = await verify.catalog.fingerprint();
  const { replace, drop, end } = await rebuild.catalog.successor();
  const replaced = expect(replace(NOTHING)).rejects.toMatchObject({ code: 'stopped' });
  await rebuild.firstWait;
  const behind = expect(begunPass(prune.catalog)).rejects.toMatchObject({ code: 'stopped' });
  expect((await prune.firstWait).until).toBe('exchange');
  for (const { stopping } of [prune, rebuild]) stopping.abort(new EngineError('stopped', 'Stopped on request.'));
  await Promise.all([behind, replaced]);
  await drop();
  await end();
  await pass.end();
  expect(await verify.catalog.fingerprint()).toEqual(before);
});

test('a commit waits for the exchange of the catalog, says so, and is not given up when it is to stop: it is in the repository', async () => {
  const [backup, rebuild] = [await program(), await program()];
  const { replace, end } = await rebuild.catalog.successor();
  let applied: Promise<unknown> = Promise.resolve();
  await replace(async () => {
    applied = backup.catalog.apply(buildCommit('r', 1));
    expect(await backup.firstWait).toEqual({ until: 'exchange', holders });
    backup.stopping.abort(new EngineError('stopped', 'Stopped on request.'));
  });
  await end();
  await applied;
  expect(await backup.catalog.openRuns()).toEqual(new Map([['r', 1]]));
});

test('a program that only reads stops waiting for the exchange when it is to stop: the commit is there for the next one', async () => {
  const [reader, rebuild] = [await program(), await program()];
  const { replace, end } = await rebuild.catalog.successor();
  const { signal } = reader.stopping;
  await replace(async () => {
    const applied = expect(reader.catalog.apply(buildCommit('r', 1), { signal })).rejects.toMatchObject({
      code: 'stopped',
    });
    await reader.firstWait;
    reader.stopping.abort(new EngineError('stopped', 'Stopped on request.'));
    await applied;
  });
  await end();
  expect(await reader.catalog.openRuns()).toEqual(new Map());
});
