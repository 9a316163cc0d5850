import { availableParallelism } from 'node:os';
import { Gate } from '../../model/gate.ts';
import type { RawBytes } from '../content/raw-batch.ts';
import type { CutReply, WritingSetup } from './batch-work.ts';
import type { ClosedPack } from './pack-builder.ts';
import { WriteThread } from './write-thread.ts';

/** One of them is packed while the chunks of others are looked up and the next ones arrive. With three a thread waits for a tenth of its time; five take memory and no less time. */
const BATCHES_A_THREAD = 4;
const THREADS_MAX = 4;
/** One processor is left for reading. */
const THREADS = Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1));
/** Batches that all threads have at a time. */
export const BATCHES_AT_ONCE = THREADS * BATCHES_A_THREAD;
const PROGRAM = new URL('./pack-worker.ts', import.meta.url);

/** A batch that was cut; its chunks wait in a thread for being packed. */
export interface CutInThread {
  reply: CutReply;
  /** @param isNew for each chunk @returns the memory of the batch */
  pack(isNew: readonly boolean[]): Promise<ArrayBuffer>;
}

/** Starting a thread takes longer than most runs have work for it, and the runs of a night follow one another. */
const IDLE_MS = 30_000;

/**
 * Threads that cut and pack for all runs of this process. They are begun when there is something to do, end a while after the last run, and do not make
 * the process wait for that. One that dies fails the runs that had something in it; the next batch gets another one.
 */
export class WritePool {
  private readonly program: URL;
  private readonly size: number;
  private readonly slots: Gate;
  private threads: WriteThread[] = [];
  private readonly runs = new Map<number, PoolRun>();
  private begun = 0;
  private ending: NodeJS.Timeout | undefined;

  constructor(program = PROGRAM, size = THREADS) {
    this.program = program;
    this.size = size;
    this.slots = new Gate(size * BATCHES_A_THREAD);
  }

  /** @param onPack gets each pack of the run that was filled */
  join(setup: WritingSetup, onPack: (pack: ClosedPack) => void): PoolRun {
    this.begun += 1;
    const run = new PoolRun(this, this.begun, setup, onPack);
    clearTimeout(this.ending);
    for (const thread of this.threads) thread.resume();
    this.runs.set(this.begun, run);
    return run;
  }

  /** Waits until a thread has room for a batch, and reserves it. */
  async enter(): Promise<WriteThread> {
    await this.slots.enter(1);
    const thread = this.leastLoaded();
    thread.load += 1;
    return thread;
  }

  leave(thread: WriteThread): void {
    thread.load -= 1;
    this.slots.leave(1);
  }

  leaveRun(number: number): void {
    if (!this.runs.delete(number) || this.runs.size > 0) return;
    for (const thread of this.threads) thread.rest();
    this.ending = setTimeout(() => this.endThreads(), IDLE_MS).unref();
  }

  private endThreads(): void {
    const { threads } = this;
    this.threads = [];
    for (const thread of threads) void thread.end();
  }

  private leastLoaded(): WriteThread {
    this.threads = this.threads.filter(({ isAlive }) => isAlive);
    const [least] = this.threads.toSorted((one, other) => one.load - other.load);
    if (least !== undefined && (least.load === 0 || this.threads.length >= this.size)) return least;
    const begun = new WriteThread(this.program, (run, pack) => this.runs.get(run)?.full(begun, pack));
    this.threads.push(begun);
    return begun;
  }
}

/** The threads of a pool, as one run uses them. */
export class PoolRun {
  private readonly pool: WritePool;
  private readonly number: number;
  private readonly setup: WritingSetup;
  private readonly onPack: (pack: ClosedPack) => void;
  private readonly threads = new Set<WriteThread>();
  /** The threads that filled packs which are not stored yet. */
  private readonly filledBy = new WeakMap<ArrayBuffer, WriteThread>();
  private isOver = false;

  constructor(pool: WritePool, number: number, setup: WritingSetup, onPack: (pack: ClosedPack) => void) {
    this.pool = pool;
    this.number = number;
    this.setup = setup;
    this.onPack = onPack;
  }

  /** Cuts a batch in the thread that has the least to do. Who gets the answer has it packed, or it stays there. */
  async cut(raw: RawBytes): Promise<CutInThread> {
    const thread = await this.pool.enter();
    try {
      this.begin(thread);
      const answer = await thread.ask({ type: 'cut', run: this.number, raw }, [raw.memory]);
      if (answer.type !== 'cut') throw new Error(`A thread answered ${answer.type} instead of cut.`);
      return { reply: answer.reply, pack: (isNew) => this.pack(thread, answer.request, isNew) };
    } catch (error) {
      this.pool.leave(thread);
      throw error;
    }
  }

  /** Resolves when all that was packed so far is in packs that were given away. */
  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.ask({ type: 'close', run: this.number })));
  }

  takeBack(memory: ArrayBuffer): void {
    const thread = this.filledBy.get(memory);
    if (!this.isOver && thread?.isAlive) thread.notify({ type: 'memory', run: this.number, memory }, [memory]);
  }

  /** Gives up what is not in a pack. */
  end(): void {
    this.isOver = true;
    for (const thread of this.threads) if (thread.isAlive) thread.notify({ type: 'end', run: this.number });
    this.pool.leaveRun(this.number);
  }

  full(thread: WriteThread, pack: ClosedPack): void {
    this.filledBy.set(pack.bytes.buffer, thread);
    this.onPack(pack);
  }

  private begin(thread: WriteThread): void {
    if (this.isOver) throw new Error('The run is over.');
    if (this.threads.has(thread)) return;
    this.threads.add(thread);
    thread.notify({ type: 'begin', run: this.number, setup: this.setup });
  }

  private async pack(thread: WriteThread, batch: number, isNew: readonly boolean[]): Promise<ArrayBuffer> {
    try {
      if (this.isOver) throw new Error('The run is over.');
      const answer = await thread.ask({ type: 'pack', run: this.number, batch, isNew });
      if (answer.type !== 'packed') throw new Error(`A thread answered ${answer.type} instead of packed.`);
      return answer.memory;
    } finally {
      this.pool.leave(thread);
    }
  }
}
