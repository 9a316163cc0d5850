import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { EngineError } from '../model/engine-error.ts';
import { prune } from '../prune/prune.ts';
import type { PruneResult } from '../prune/prune-plan.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { ChangingWorld } from '../testing/changing-world.ts';
import { Freezer } from '../testing/freezing.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { type BackupResult, backUp } from './backup.ts';

/**
 * 48 kills, and 200 in a soak. Starting a program takes longer than a small backup, so most are made in this process: all that a run does to the outside goes
 * through its store and its catalog, and from a random one of these operations on nothing happens any more (`Freezer`). What that cannot
 * show, such as a write that is half done, show real programs that get a real SIGKILL. KILL_SEED repeats a run.
 */
const FROZEN = tries(42, 184);
const KILLED = tries(6, 16);
const SEED = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
/** Restore points that a prune retains, and rounds after which all of them are read. */
const RETAINED = 8;
const FULL_EVERY = 25;

const database = useDatabase();

test('a run that is killed anywhere loses nothing: the next one completes, and no restore point shows what was not', async () => {
  const bed = new TestBed(await database.parts({ now: () => new Date(0) }));
  for (let round = 0; round < FROZEN + KILLED; round += 1) {
    const isReal = round % Math.floor((FROZEN + KILLED) / KILLED) === 0 && bed.programs < KILLED;
    await (isReal ? bed.killProgram() : bed.freezeRun());
    await bed.timePasses();
    await bed.completeRun();
    if (round % FULL_EVERY === 0) await bed.checkAll();
  }
  await bed.checkAll();
  await bed.checkRebuilt();
  console.log(`seed ${SEED}: ${bed.summary()}`);
  const { realKills, frozenBackups, frozenPrunes } = bed.counts;
  expect(bed.programs).toBe(KILLED);
  expect(realKills).toBeGreaterThan(0);
  expect(frozenBackups + frozenPrunes).toBeGreaterThan(FROZEN / 2);
  expect(frozenPrunes).toBeGreaterThan(0);
}, 900_000);

class TestBed {
  /** Those that were to be killed. */
  programs = 0;
  readonly counts = {
    realKills: 0,
    frozenBackups: 0,
    frozenPrunes: 0,
    cameThrough: 0,
    pointsRead: 0,
    packsGone: 0,
  };
  private readonly parts: TestParts;
  private readonly store: AgingStore;
  private readonly random = new Random(SEED);
  private readonly world = new ChangingWorld(SEED);
  private readonly expected = new Map<string, { generation: number; states: State[] }>();
  private operations = { backup: 60, prune: 60 };
  /** What was read since all was read last. */
  private readonly read = new Map<string, string>();
  private clock = Date.UTC(2026, 0, 1);

  constructor(parts: TestParts) {
    this.parts = parts;
    this.store = new AgingStore(parts.store);
  }

  /** A backup or a prune in this process ends at a random one of its operations. */
  async freezeRun(): Promise<void> {
    const kind = this.random.below(3) === 0 && this.expected.size > RETAINED ? 'prune' : 'backup';
    if (kind === 'backup') this.world.change();
    const freezer = new Freezer(
      1 + this.random.below(Math.ceil(this.operations[kind] * 1.1)),
      this.random.below(2) === 0,
    );
    const work = async (): Promise<BackupResult | PruneResult> => {
      const repository = await this.open(freezer);
      const parts = { ...this.parts, repository, catalog: freezer.wrap(this.parts.catalog) };
      return kind === 'backup' ? this.backUp(parts) : this.prune(parts);
    };
    const result = await freezer.run(work());
    if (result === 'frozen') this.counts[kind === 'backup' ? 'frozenBackups' : 'frozenPrunes'] += 1;
    else {
      this.counts.cameThrough += 1;
      this.operations[kind] = freezer.operations;
    }
  }

  /** The same in a program that gets a SIGKILL after a random time. */
  async killProgram(): Promise<void> {
    const isPrune = this.random.below(3) === 0 && this.expected.size > RETAINED;
    if (!isPrune) this.world.change();
    const { generation } = this.world;
    const given = [this.parts.folder, database.url(), PASSWORD, SEED, generation, this.now().getTime()];
    const file = join(import.meta.dirname, '../testing/killed.fixture.ts');
    const before = isPrune ? (await this.before()).getTime() : '-';
    const program = spawn(process.execPath, [file, ...given.map(String), String(before)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(program.stdout, 'data');
    // Not a wait for something: the moment of the kill is what varies. The first comes before any program has ended.
    const timer = setTimeout(() => program.kill('SIGKILL'), this.random.below(this.programs === 0 ? 10 : 120));
    const [, signal] = await once(program, 'exit');
    clearTimeout(timer);
    this.programs += 1;
    this.counts[signal === 'SIGKILL' ? 'realKills' : 'cameThrough'] += 1;
  }

  /** As long as it takes for the locks of silent processes to be void. */
  async timePasses(): Promise<void> {
    await this.store.ageLocks();
    this.clock += 60_000;
  }

  /** A run without disturbance: its restore point shows exactly what the source has. */
  async completeRun(): Promise<void> {
    await this.discover();
    const repository = await this.open();
    const result = await this.backUp({ ...this.parts, repository });
    expect(result).toMatchObject({ outcome: 'Success', findings: { failures: [], lost: [] } });
    await this.discover();
    await this.checkPoint(repository, result.run);
    if (this.random.below(4) > 0 || this.expected.size <= RETAINED) return;
    const { packsDeleted } = await this.prune({ ...this.parts, repository });
    this.counts.packsGone += packsDeleted;
  }

  /** Every restore point, every byte; and a full verify finds nothing. */
  async checkAll(): Promise<void> {
    const repository = await this.open();
    this.read.clear();
    for (const { run } of await this.points()) await this.checkPoint(repository, run.id);
    const found = await verify(repository, this.parts.catalog, { depth: 'full' });
    expect(found).toMatchObject({ packFaults: [], damagedChunks: 0, damagedItems: [], journalFaults: [] });
    expect((await this.parts.catalog.openRuns()).size).toBe(0);
  }

  async checkRebuilt(): Promise<void> {
    const before = await this.parts.catalog.fingerprint();
    await rebuild(await this.open(), this.parts.catalog);
    expect(await this.parts.catalog.fingerprint()).toEqual(before);
    await this.checkAll();
  }

  summary(): string {
    const facts = { ...this.counts, restorePoints: this.expected.size };
    return Object.entries(facts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  }

  private open(freezer?: Freezer): Promise<Repository> {
    const store = freezer === undefined ? this.store : freezer.wrap(this.store);
    return openRepository(store, PASSWORD, { now: () => this.now() });
  }

  private now(): Date {
    this.clock += 1_000;
    return new Date(this.clock);
  }

  private backUp(parts: TestParts): Promise<BackupResult> {
    const signal = new AbortController().signal;
    return backUp({ ...parts, source: this.world.source, signal, now: () => this.now() }, JOB);
  }

  private async prune(parts: TestParts): Promise<PruneResult> {
    return prune(parts.repository, parts.catalog, { before: await this.before(), now: () => this.now() });
  }

  private async before(): Promise<Date> {
    const points = await this.points();
    return points[RETAINED]?.finishedAt ?? new Date(0);
  }

  private points() {
    return this.parts.catalog.listRestorePoints({ limit: 1_000, offset: 0 });
  }

  /** Restore points that were not there before show the world as it is now; those of killed runs come into sight with the next run. */
  private async discover(): Promise<void> {
    for (const { run } of await this.points()) {
      if (this.expected.has(run.id)) continue;
      const { generation } = this.world;
      this.expected.set(run.id, { generation, states: this.world.source.objects.map(writtenState) });
    }
  }

  private async checkPoint(repository: Repository, run: string): Promise<void> {
    const expected = this.expected.get(run);
    const point = await this.parts.catalog.restorePoint(run);
    if (expected === undefined || point === null)
      throw new EngineError('not-found', `There is no restore point ${run}.`);
    const revisions = new Map(point.objects);
    for (const [at, { object }] of this.world.source.objects.entries()) {
      const key = repository.objectKey(object);
      const state = await restoredState(repository, this.parts.catalog, key, revisions.get(key) ?? 0, this.read);
      expect(state, `generation ${expected.generation}, ${object.name}`).toEqual(expected.states[at]);
    }
    this.counts.pointsRead += 1;
  }
}
