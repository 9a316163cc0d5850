import { expect } from 'vitest';
import type { ListedRestorePoint, RepositoryCatalog, RestorePoint } from '../../../catalog/catalog.ts';
import { openCatalog, openRepository } from '../../../engine.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import type { Repository } from '../../../repository/repository.ts';
import type { GraphConnection } from '../../../source/graph/connection.ts';
import { openGraphSource } from '../../../source/graph/graph-source.ts';
import type { Source } from '../../../source/source.ts';
import type { ObjectStore } from '../../../store/object-store.ts';
import { objectsIn } from '../../../testing/graph/graph-mailbox.ts';
import { Random } from '../../../testing/random.ts';
import { PASSWORD } from '../../../testing/test-parts.ts';
import { type CommandLine, type Ended, makeRepositoryIn } from '../command-line.ts';
import { changeDrive, changeMailbox } from './changing-tenant.ts';
import { KILLED, type ProcessEnd, RandomProcesses } from './random-process.ts';
import { readPoint } from './read-points.ts';
import { StoreDamage } from './store-damage.ts';
import { TrueObject, type TrueState, without } from './true-states.ts';
import { readVerdict, type Verdict } from './verdict.ts';

/** Restore points that a prune leaves. */
const RETAINED = 5;

export interface ThreeProcessesParts {
  connection: GraphConnection;
  commandLine: CommandLine;
  /** What names the repository. */
  environment: Record<string, string>;
  store: ObjectStore;
  database: string;
  seed: number;
}

interface KnownPoint {
  finishedAt: Date;
  /** In the order of the objects. */
  states: readonly TrueState[];
}

interface Restoring {
  args: string[];
  point: string;
  at: number;
  folder: string;
}

/** A repository on which backup, prune and restore work at once, each in a process that may be killed, and with which everything happens in between. */
export class ThreeProcesses {
  readonly counts = {
    rounds: 0,
    killedBackups: 0,
    killedPrunes: 0,
    killedRestores: 0,
    endedBackups: 0,
    endedPrunes: 0,
    endedRestores: 0,
    refused: 0,
    clocksAhead: 0,
    clocksBehind: 0,
    packsFlipped: 0,
    packsLost: 0,
    journalsFlipped: 0,
    journalsLost: 0,
    healed: 0,
    replaced: 0,
    lossesAccepted: 0,
    pointsRead: 0,
    itemsRead: 0,
    unreadableAndNamed: 0,
  };
  /** What was done, in order: for who has to find out why something failed. */
  readonly story: string[] = [];
  private readonly parts: ThreeProcessesParts;
  private readonly random: Random;
  private readonly processes: RandomProcesses;
  private readonly damage: StoreDamage;
  private readonly objects: TrueObject[];
  private readonly targets: TrueObject[];
  private readonly include: string[];
  private readonly points = new Map<string, KnownPoint>();
  /** Also those that a prune took away: an earlier copy has them again. */
  private readonly everKnown = new Map<string, KnownPoint>();
  private states: TrueState[] = [];
  private prunedBefore = new Date(0);
  /** Journals whose loss was accepted; packs for which that may be so, as a verify had named them before. */
  private accepted = new Set<string>();
  private readonly namedPacks = new Set<string>();
  private copy: { store: Awaited<ReturnType<StoreDamage['copy']>>; accepted: Set<string> } | null = null;
  /** Whether restore points may be gone: a loss was accepted in this round. */
  private isLossAccepted = false;
  /** What a verify named so far and may still be so, as `object id`. */
  private readonly named = new Set<string>();
  private acceptedVersions = 0;

  private constructor(parts: ThreeProcessesParts, objects: TrueObject[], targets: TrueObject[]) {
    this.parts = parts;
    this.random = new Random(parts.seed);
    this.processes = new RandomProcesses(parts.commandLine, parts.environment, this.random);
    this.damage = new StoreDamage(parts.store, this.random);
    [this.objects, this.targets] = [objects, targets];
    this.include = ['--include', `user:${addressOf(objects[0]?.object)}`];
  }

  /** A user's mailbox and drive are backed up, and restored into those of another one. */
  static async open(parts: ThreeProcessesParts, from: string, to: string): Promise<ThreeProcesses> {
    const source = openGraphSource(parts.connection);
    const [objects, targets] = [await objectsOf(source, from), await objectsOf(source, to)];
    const bed = new ThreeProcesses(parts, objects, targets);
    await makeRepositoryIn(parts.store);
    await bed.change();
    await bed.complete(null);
    return bed;
  }

  async round(): Promise<void> {
    this.counts.rounds += 1;
    this.story.push(`round ${this.counts.rounds}`);
    this.isLossAccepted = false;
    await this.change();
    if (this.random.below(3) === 0) await this.somethingHappens();
    const restoring = this.chooseRestore();
    await this.workTogether(restoring);
    if (this.random.below(2) === 0) await this.somethingHappens();
    await this.settle();
    await this.complete(restoring);
    await this.check();
    if (this.copy === null && this.random.below(2) === 0)
      this.copy = { store: await this.damage.copy(), accepted: new Set(this.accepted) };
  }

  /** The catalog, made again from the repository, says the same. Each piece of work comes to its end once, whatever was drawn before. */
  async end(): Promise<void> {
    await this.acceptLoss();
    await this.complete(null);
    await this.check();
    const pruned = await this.processes.run(this.prune());
    expect(pruned.exitCode, saidBy(pruned)).toBe(0);
    this.counts.endedPrunes += 1;
    await this.finishRestore(this.chooseRestore('The end'));
    await this.check();
  }

  summary(): string {
    const counts = Object.entries(this.counts).map(([name, count]) => `${name} ${count}`);
    return `seed ${this.parts.seed}: ${counts.join(', ')}`;
  }

  private async change(): Promise<void> {
    const [mailbox, drive] = this.objects;
    if (mailbox === undefined || drive === undefined) throw new Error('There is no mailbox or no drive.');
    await changeMailbox(this.parts.connection, mailbox.object, this.random);
    await changeDrive(this.parts.connection, drive.object, this.random);
    this.states = [await mailbox.read(), await drive.read()];
  }

  private backup = () => ['backup', '--kinds', 'mailbox,drive', ...this.include];

  private prune(): string[] {
    const before = this.newest()[RETAINED]?.[1].finishedAt ?? new Date(0);
    if (before > this.prunedBefore) this.prunedBefore = before;
    return ['prune', '--before', before.toISOString(), '--wait', '2'];
  }

  private chooseRestore(folder = `Round ${this.counts.rounds}`): Restoring {
    const [point] = this.random.pick(this.newest().slice(0, 2));
    const at = this.random.below(2);
    const object = this.objects[at]?.object;
    const what = ['--object', `${object?.kind}/${addressOf(object)}`, ...(at === 0 ? ['--path', 'Inbox'] : [])];
    const to = ['--restore-point', point, '--to', addressOf(this.targets[at]?.object), '--into', folder];
    return { args: ['restore', ...what, ...to], point, at, folder };
  }

  private newest(): [string, KnownPoint][] {
    return [...this.points].sort(([, one], [, other]) => other.finishedAt.getTime() - one.finishedAt.getTime());
  }

  private async workTogether(restoring: Restoring): Promise<void> {
    const { processes } = this;
    const ends = await Promise.all([
      processes.start('backup', this.backup()),
      processes.start('prune', this.prune()),
      processes.start('restore', restoring.args),
    ]);
    for (const end of ends) this.checkEnd(end);
  }

  /** A program that was not killed says plainly how it ended, and gives up only for a reason. */
  private checkEnd(ended: ProcessEnd): void {
    const { work, exitCode, skewMs } = ended;
    this.story.push(`${work}, clock ${skewMs}: ${exitCode}`);
    if (skewMs !== 0) this.counts[skewMs > 0 ? 'clocksAhead' : 'clocksBehind'] += 1;
    if (exitCode === KILLED) {
      this.counts[`killed${PLURALS[work]}`] += 1;
      return;
    }
    expectPlain(ended);
    const isHarmed = this.damage.damaged.size > 0 || this.isReplaced;
    const isRightPrune = work === 'prune' && skewMs === 0;
    if (exitCode === 0) this.counts[`ended${PLURALS[work]}`] += 1;
    else this.counts.refused += 1;
    if (isHarmed) return;
    if (work === 'backup' || isRightPrune) expect(exitCode, saidBy(ended)).toBe(0);
    else if (work === 'restore') expect([0, 3], saidBy(ended)).toContain(exitCode);
    else expect([1, 2], saidBy(ended)).toContain(exitCode);
  }

  private isReplaced = false;

  /** Bits are flipped, objects are lost, or an earlier copy takes the repository's place. */
  private async somethingHappens(): Promise<void> {
    if (this.copy !== null && this.random.below(2) === 0) return this.replace(this.copy);
    for (let count = 1 + this.random.below(3); count > 0; count -= 1) {
      const [prefix, counted] = this.random.pick([
        ['packs/', 'packs'],
        ['packs/', 'packs'],
        ['journals/', 'journals'],
      ] as const);
      const harm = this.random.pick(['flipped', 'lost'] as const);
      const name = await this.damage.harm(prefix, harm);
      this.story.push(`${harm} ${name}`);
      if (name !== null) this.counts[`${counted}${harm === 'flipped' ? 'Flipped' : 'Lost'}`] += 1;
    }
  }

  private async replace(copy: NonNullable<ThreeProcesses['copy']>): Promise<void> {
    await this.damage.replace(copy.store);
    this.accepted = new Set(copy.accepted);
    [this.copy, this.isReplaced] = [null, true];
    this.counts.replaced += 1;
    this.story.push('replaced by the copy');
  }

  /** What was harmed is found, named and settled: from a copy, by accepting it, or not at all where a backup can go on. */
  private async settle(): Promise<void> {
    if (this.isReplaced) {
      const ended = await this.processes.run(this.backup());
      expectPlain(ended);
      // Nothing may have been written since the copy was made. What follows would show whether that was not so.
      if (ended.exitCode !== 0) {
        expect(saidBy(ended)).toMatch(/older copy|another generation|damaged/);
        await this.acceptLoss();
      }
      this.isReplaced = false;
    }
    await this.verify();
    const open = [...this.damage.damaged.keys()].filter((name) => !this.accepted.has(name));
    if (open.length === 0) return;
    const how = this.random.below(3);
    if (how === 0) for (const name of open) await this.heal(name);
    const isJournalOpen = [...this.damage.damaged.keys()].some(
      (name) => name.startsWith('journals/') && !this.accepted.has(name),
    );
    if (isJournalOpen || how === 1) await this.acceptLoss();
    await this.verify();
  }

  private async heal(name: string): Promise<void> {
    await this.damage.heal(name);
    this.counts.healed += 1;
    this.story.push(`healed ${name}`);
    if (this.damage.damaged.size === 0) this.named.clear();
  }

  private async acceptLoss(): Promise<void> {
    const ended = await this.processes.run(['rebuild', '--accept-loss']);
    expectPlain(ended);
    expect([0, 3], saidBy(ended)).toContain(ended.exitCode);
    this.isLossAccepted = true;
    this.story.push(`rebuild --accept-loss: ${saidBy(ended)}`);
    if (ended.exitCode === 3) this.counts.lossesAccepted += 1;
    // A rebuild compares journals with what is there, and reads no packs.
    const lost = await this.damage.lost();
    for (const name of this.damage.damaged.keys())
      if (name.startsWith('journals/') || lost.has(name) || this.namedPacks.has(packOf(name))) this.accepted.add(name);
  }

  /** A verify finds what was harmed and is in use, all of it, and nothing else. */
  private async verify(): Promise<Verdict> {
    const ended = await this.processes.run(['verify', '--full']);
    expectPlain(ended);
    const verdict = readVerdict(ended);
    this.story.push(
      `verify: ${verdict.packs.size} packs, ${verdict.journals.size} journals, ${verdict.versions.length} item versions: ${ended.exitCode}`,
    );
    const all = [...this.damage.damaged.keys()];
    const open = all.filter((name) => !this.accepted.has(name));
    const inUse = await this.withParts(async ({ catalog }) => {
      const names = new Set<string>();
      for await (const { name } of catalog.listPacks()) names.add(name);
      return names;
    });
    const packs = (names: string[]) => names.filter((name) => name.startsWith('packs/')).map(packOf);
    const runs = open.filter((name) => name.startsWith('journals/')).map((name) => name.split('/')[1] ?? '');
    const found = [...verdict.packs];
    expect(packs(all), saidBy(ended)).toEqual(expect.arrayContaining(found));
    expect(found, saidBy(ended)).toEqual(expect.arrayContaining(packs(open).filter((name) => inUse.has(name))));
    expect([...verdict.journals].sort(), saidBy(ended)).toEqual([...new Set(runs)].sort());
    for (const pack of found) this.namedPacks.add(pack);
    for (const item of verdict.versions) this.named.add(item);
    this.acceptedVersions = Math.max(this.acceptedVersions, verdict.acceptedVersions);
    if (found.length + runs.length === 0 && verdict.versions.length === 0)
      expect(ended.exitCode, saidBy(ended)).toBe(0);
    if (verdict.versions.length > 0) expect(ended.exitCode, saidBy(ended)).toBe(1);
    return verdict;
  }

  /** The next backup is a success, its restore point is whole; the restore goes on to its end. */
  private async complete(restoring: Restoring | null): Promise<void> {
    const ended = await this.processes.run(this.backup());
    expectPlain(ended);
    this.story.push(`backup: ${ended.exitCode}`);
    expect(ended.exitCode, saidBy(ended)).toBe(0);
    this.counts.endedBackups += 1;
    await this.withParts(async ({ catalog }) => this.discover(await catalog.listRestorePoints(ALL)));
    if (restoring !== null && this.points.has(restoring.point)) await this.finishRestore(restoring);
  }

  private discover(listed: readonly ListedRestorePoint[]): void {
    for (const { run, finishedAt } of listed)
      if (!this.points.has(run.id)) {
        const known = this.everKnown.get(run.id) ?? { finishedAt, states: this.states };
        this.everKnown.set(run.id, known);
        this.points.set(run.id, known);
      }
    const ids = new Set(listed.map(({ run }) => run.id));
    for (const [id, { finishedAt }] of this.points) {
      if (ids.has(id)) continue;
      expect(this.isLossAccepted || finishedAt < this.prunedBefore, `restore point ${id} is gone`).toBe(true);
      this.points.delete(id);
    }
  }

  /** What is in the target is what was stored, each thing as often as there. */
  private async finishRestore({ args, point, at, folder }: Restoring): Promise<void> {
    const ended = await this.processes.run(args);
    expectPlain(ended);
    this.story.push(`restore: ${ended.exitCode}`);
    const result = ended.lines.findLast(({ type }) => type === 'result');
    const inPath = (things: readonly string[] = []) =>
      at === 0 ? things.filter((path) => path.startsWith('Inbox/')) : things;
    const stored = inPath(this.points.get(point)?.states[at]?.things);
    const found = (await this.targets[at]?.thingsWithin(folder)) ?? [];
    const isWhole = await this.withParts(async (parts) => isWholeIn(await parts.catalog.restorePoint(point)));
    // One that lacks what a lost journal had shows some things as they were before.
    const allowed = isWhole ? stored : inPath(this.objects[at]?.everThings);
    expect(without(found, allowed), `doubled or foreign in ${folder}: ${saidBy(ended)}`).toEqual([]);
    if (this.damage.damaged.size === 0) expect([0, 3], saidBy(ended)).toContain(ended.exitCode);
    if (isWhole && result?.['failed'] === 0) expect(without(stored, found), saidBy(ended)).toEqual([]);
    this.counts.endedRestores += 1;
  }

  /** Every restore point, every byte. */
  private async check(): Promise<void> {
    await this.withParts(async (parts) => {
      const listed = await parts.catalog.listRestorePoints(ALL);
      this.discover(listed);
      const read = new Map<string, string | null>();
      const unnamed = new Set<string>();
      const newest = this.newest()[0]?.[0];
      for (const point of listed) {
        for (const each of await this.unreadable(parts, point, read)) {
          expect(point.run.id === newest, `${each} of the newest restore point cannot be read`).toBe(false);
          if (this.named.has(each.replace(/ \d+$/, ''))) this.counts.unreadableAndNamed += 1;
          else unnamed.add(each);
        }
        this.counts.pointsRead += 1;
      }
      expect(unnamed.size, [...unnamed].join('\n')).toBeLessThanOrEqual(this.acceptedVersions);
    });
  }

  /** @returns versions that cannot be read; all others are compared with what was there */
  private async unreadable(
    parts: Parts,
    point: ListedRestorePoint,
    read: Map<string, string | null>,
  ): Promise<string[]> {
    const { objects, findings } = (await parts.catalog.restorePoint(point.run.id)) ?? { objects: [], findings: null };
    const revisions = new Map(objects);
    const unreadable: string[] = [];
    for (const [at, { object, history }] of this.objects.entries()) {
      const key = parts.repository.objectKey(object);
      const isWhole = point.outcome === 'Success' && findings?.objects?.[key] === undefined;
      const items = await readPoint(parts, key, revisions.get(key) ?? 0, read);
      const truth = this.points.get(point.run.id)?.states[at]?.items ?? new Map<string, string>();
      const where = `${point.run.id}, ${object.name}`;
      if (isWhole) expect(items.map(({ id }) => id).sort(), where).toEqual([...truth.keys()].sort());
      for (const { id, text, firstRevision } of items) {
        this.counts.itemsRead += 1;
        if (text === null) unreadable.push(`${object.name} ${id} ${firstRevision}`);
        else if (isWhole) expect(text, where).toBe(truth.get(id));
        else expect(history.get(id), where).toContain(text);
      }
    }
    return unreadable;
  }

  private async withParts<Result>(work: (parts: Parts) => Promise<Result>): Promise<Result> {
    const repository = await openRepository(this.parts.store, PASSWORD);
    const catalogs = await openCatalog(this.parts.database);
    try {
      return await work({ repository, catalog: await catalogs.repository(repository.id) });
    } finally {
      await catalogs.close();
    }
  }
}

interface Parts {
  repository: Repository;
  catalog: RepositoryCatalog;
}

const PLURALS = { backup: 'Backups', prune: 'Prunes', restore: 'Restores' } as const;
const ALL = { limit: 1_000, offset: 0 };

const isWholeIn = (point: RestorePoint | null) =>
  point?.outcome === 'Success' && Object.keys(point.findings.objects ?? {}).length === 0;

async function objectsOf(source: Source, address: string): Promise<TrueObject[]> {
  const all = await objectsIn(source, 'mailbox', 'drive');
  const own = all.filter((object) => object.address === address);
  return own.sort((one, other) => (one.kind < other.kind ? 1 : -1)).map((object) => new TrueObject(source, object));
}

const packOf = (name: string) => name.split('/').at(-1) ?? '';
const addressOf = (object: ProtectedObject | undefined) => object?.address ?? '';

/** One line a problem, for a person; never the inside of the program. */
function expectPlain(ended: Ended): void {
  expect(ended.out + ended.problems).not.toMatch(/\\n\s+at |\n\s+at /);
}

function saidBy({ exitCode, lines, problems }: Ended): string {
  const said = lines.filter(({ type }) => type !== 'progress' && type !== 'row').map((line) => JSON.stringify(line));
  return [`exit code ${exitCode}`, ...said.slice(-12), problems].join('\n');
}
