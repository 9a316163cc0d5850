import { Worker } from 'node:worker_threads';
import type { RawBytes } from '../content/raw-batch.ts';
import type { CutReply, WritingSetup } from './batch-work.ts';
import type { ClosedPack } from './pack-builder.ts';

/** What a thread is asked; `run` is a number that the process gives. */
export type Asked =
  | { type: 'cut'; run: number; raw: RawBytes }
  | { type: 'pack'; run: number; batch: number; isNew: readonly boolean[] }
  | { type: 'close'; run: number };

/** What it gets without an answer. */
export type Notice =
  | { type: 'begin'; run: number; setup: WritingSetup }
  /** Of a pack that is stored, to be used again. */
  | { type: 'memory'; run: number; memory: ArrayBuffer }
  | { type: 'end'; run: number };

export type ToWriteThread = (Asked & { request: number }) | Notice;

export type Answer =
  | { type: 'cut'; request: number; reply: CutReply }
  /** The memory of the batch comes back. */
  | { type: 'packed'; request: number; memory: ArrayBuffer }
  | { type: 'closed'; request: number };

export type FromWriteThread = Answer | { type: 'full'; run: number; pack: ClosedPack };

interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (cause: Error) => void;
}

/** Beside the memory that it is given it has little: without these limits most of what it takes would be garbage. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

/** One thread that cuts and packs batches (`BatchWork`). Should it die, whatever waits for it fails, and all that is asked of it afterwards. */
export class WriteThread {
  /** Batches that it has and that are not packed. */
  load = 0;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private requests = 0;
  private failure: Error | null = null;

  /** @param onFull gets each pack that was filled, with the run that it is of */
  constructor(program: URL, onFull: (run: number, pack: ClosedPack) => void) {
    this.worker = new Worker(program, { name: 'packs', resourceLimits: LIMITS });
    this.worker.on('message', (message: FromWriteThread) => {
      if (message.type === 'full') onFull(message.run, message.pack);
      else this.receive(message);
    });
    this.worker.on('messageerror', (error) => this.fail(error));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', (code) => this.fail(new Error(`it ended with ${code}`)));
  }

  get isAlive(): boolean {
    return this.failure === null;
  }

  /** @returns the answer and its number, by which what was cut is named later */
  ask(asked: Asked, transferred: ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) {
        reject(this.failure);
        return;
      }
      this.requests += 1;
      this.waiting.set(this.requests, { resolve, reject });
      this.worker.postMessage({ ...asked, request: this.requests } satisfies ToWriteThread, transferred);
    });
  }

  notify(notice: Notice, transferred: ArrayBuffer[] = []): void {
    this.worker.postMessage(notice satisfies ToWriteThread, transferred);
  }

  /** The process may end while the thread waits for work. */
  rest(): void {
    this.worker.unref();
  }

  resume(): void {
    this.worker.ref();
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private receive(answer: Answer): void {
    const waiting = this.waiting.get(answer.request);
    this.waiting.delete(answer.request);
    waiting?.resolve(answer);
  }

  private fail(cause: unknown): void {
    if (this.failure !== null) return;
    const text = cause instanceof Error ? cause.message : String(cause);
    this.failure = new Error(
      `The thread that fills packs has failed: ${text}. Nothing of what it held is part of a restore point; start the run again.`,
      { cause },
    );
    for (const { reject } of this.waiting.values()) reject(this.failure);
    this.waiting.clear();
  }
}
