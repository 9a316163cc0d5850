import { Worker } from 'node:worker_threads';
import type { BatchBytes } from '../content/chunk-batch.ts';
import type { ClosedPack } from './pack-builder.ts';

export interface PackWorkerData {
  encryption: Uint8Array;
}

export type ToPackWorker =
  | { type: 'fill'; batch: BatchBytes; isToPack: readonly boolean[] }
  | { type: 'close' }
  /** Of a pack that is stored, to be used again; not answered. */
  | { type: 'memory'; memory: ArrayBuffer };

export type FromPackWorker =
  | { type: 'pack'; pack: ClosedPack }
  /** The memory of the batch comes back. */
  | { type: 'filled'; memory: ArrayBuffer }
  | { type: 'closed' };

interface Waiting {
  resolve: (memory: ArrayBuffer) => void;
  reject: (cause: Error) => void;
}

const NOTHING = new ArrayBuffer(0);

/** It keeps little but the memory that it is given: without these limits most of what it takes would be garbage. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };
const PROGRAM = new URL('./pack-worker.ts', import.meta.url);

/**
 * A thread that fills packs (`PackFiller`), so that reading goes on beside it. Should it die, whatever waits for it fails, and all that
 * is asked of it afterwards.
 */
export class PackThread {
  private readonly worker: Worker;
  private readonly onPack: (pack: ClosedPack) => void;
  /** Answers come in the order of the messages. */
  private readonly waiting: Waiting[] = [];
  private failure: Error | null = null;

  constructor(encryption: Uint8Array, onPack: (pack: ClosedPack) => void, program = PROGRAM) {
    const workerData: PackWorkerData = { encryption };
    this.onPack = onPack;
    this.worker = new Worker(program, { workerData, name: 'packs', resourceLimits: LIMITS });
    this.worker.on('message', (message: FromPackWorker) => this.receive(message));
    this.worker.on('messageerror', (error) => this.fail(error));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', (code) => this.fail(new Error(`it ended with ${code}`)));
  }

  /** @returns the memory of the batch, when its chunks are packed. Packs that it filled were given away before */
  fill(batch: BatchBytes, isToPack: readonly boolean[]): Promise<ArrayBuffer> {
    return this.ask({ type: 'fill', batch, isToPack }, [batch.memory]);
  }

  /** Resolves when all that was packed so far is in packs that were given away. */
  async close(): Promise<void> {
    await this.ask({ type: 'close' }, []);
  }

  takeBack(memory: ArrayBuffer): void {
    this.worker.postMessage({ type: 'memory', memory } satisfies ToPackWorker, [memory]);
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private ask(message: ToPackWorker, transferred: ArrayBuffer[]): Promise<ArrayBuffer> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) {
        reject(this.failure);
        return;
      }
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(message, transferred);
    });
  }

  private receive(message: FromPackWorker): void {
    if (message.type === 'pack') this.onPack(message.pack);
    else this.waiting.shift()?.resolve(message.type === 'filled' ? message.memory : NOTHING);
  }

  private fail(cause: unknown): void {
    if (this.failure !== null) return;
    const text = cause instanceof Error ? cause.message : String(cause);
    this.failure = new Error(
      `The thread that fills packs has failed: ${text}. Nothing of what it held is part of a restore point; start the run again.`,
      { cause },
    );
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }
}
