import { Worker } from 'node:worker_threads';
import { reasonOf } from './errors.ts';

export interface WorkThreadLimits {
  memoryMb: number;
  /** Of one piece of work, from its begin. */
  timeMs: number;
  /** The thread ends when nothing was asked of it for this long. */
  idleMs: number;
}

/** A piece of work took more time or memory than it may; its thread was ended. */
export class WorkTooLarge extends Error {
  override readonly name = 'WorkTooLarge';
}

interface Piece<Asked, Answer> {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * Does work in a thread of its own, one piece after another, so that the thread that answers requests is never held by it. The thread
 * is started when it is needed. One that runs out of time or memory, or dies, fails its piece alone: the next one gets a new thread.
 * `file` answers each message with one message.
 */
export class WorkThread<Asked, Answer> {
  readonly #file: URL;
  readonly #limits: WorkThreadLimits;
  readonly #waiting: Piece<Asked, Answer>[] = [];
  #worker: Worker | null = null;
  #current: Piece<Asked, Answer> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: URL, limits: WorkThreadLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  run(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      if (this.#current === null) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift() ?? null;
    const { timeMs, idleMs } = this.#limits;
    if (this.#current === null) {
      this.#timer = setTimeout(() => this.#end(), idleMs).unref();
      return;
    }
    const worker = this.#worker ?? this.#start();
    this.#timer = setTimeout(() => this.#fail(worker, new WorkTooLarge(`took more than ${timeMs} ms`)), timeMs);
    worker.postMessage(this.#current.asked);
  }

  #start(): Worker {
    const { memoryMb } = this.#limits;
    const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    worker.unref();
    worker.on('message', (answer: Answer) => {
      if (this.#worker !== worker) return;
      this.#current?.resolve(answer);
      this.#next();
    });
    worker.on('error', (error) => this.#fail(worker, failureOf(error)));
    worker.on('exit', (code) => this.#fail(worker, new Error(`The thread ended with exit code ${code}.`)));
    this.#worker = worker;
    return worker;
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#end();
    this.#current?.reject(error);
    this.#next();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }
}

function failureOf(error: unknown): Error {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory) return new WorkTooLarge('took more memory than it may');
  return new Error(`The thread failed: ${reasonOf(error)}`, { cause: error });
}
