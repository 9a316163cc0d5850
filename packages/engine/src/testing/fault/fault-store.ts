import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../model/engine-error.ts';
import type { CreateOptions, ObjectFacts, ObjectStore } from '../../store/object-store.ts';
import { tooShort } from '../../store/too-short.ts';
import { type Fault, type FaultKind, FaultPlan, type StoreCall } from './fault.ts';

/** Like a loss of power: no cleanup, no message. */
function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * A store that goes wrong on purpose, for tests. It keeps the contract except for `cut-short`, `flip-bit` and `lose`, which are what disks and
 * networks do.
 *
 * @param die what ends the process; where it returns, the call never ends
 */
export class FaultStore implements ObjectStore {
  readonly description: string;
  private readonly store: ObjectStore;
  private readonly plan: FaultPlan;
  private readonly die: () => void;

  constructor(store: ObjectStore, faults: readonly Fault[], seed = 1, die = killThisProcess) {
    this.store = store;
    this.plan = new FaultPlan(faults, seed);
    this.die = die;
    this.description = `${store.description}, with faults`;
  }

  async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    return this.with('create', name, async (has) => {
      if (has('lose')) return true;
      return this.store.create(name, this.spoil(bytes, has), options);
    });
  }

  async read(name: string): Promise<Buffer> {
    return this.with('read', name, async (has) => {
      if (has('lose')) throw lost(name);
      return this.spoil(await this.store.read(name), has);
    });
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.with('readRange', name, async (has) => {
      if (has('lose')) throw lost(name);
      if (has('cut-short')) throw tooShort(name, start, start, length);
      return this.spoil(await this.store.readRange(name, start, length), has);
    });
  }

  /** A fault of a list strikes after its first object, where it hurts most; `lose` leaves that one out. */
  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    let isFirst = true;
    for await (const facts of this.store.list(prefix)) {
      const isLost = isFirst && (await this.with('list', prefix, async (has) => has('lose')));
      isFirst = false;
      if (!isLost) yield facts;
    }
    if (isFirst) await this.with('list', prefix, async () => undefined);
  }

  async delete(name: string): Promise<void> {
    return this.with('delete', name, async (has) => {
      if (!has('lose')) await this.store.delete(name);
    });
  }

  async close(): Promise<void> {
    return this.store.close();
  }

  private async with<Result>(
    call: StoreCall,
    name: string,
    work: (has: (kind: FaultKind) => boolean) => Promise<Result>,
  ): Promise<Result> {
    const faults = this.plan.of(call, name);
    const has = (kind: FaultKind) => faults.some((fault) => fault.kind === kind);
    for (const { kind, lagMs = 0 } of faults) if (kind === 'lag') await wait(lagMs);
    if (has('die-before')) await this.end();
    if (has('fail')) throw unreachable(call, name);
    if (has('full')) throw new EngineError('store-full', `${name}: the store is full, on purpose (${call}).`);
    const result = await work(has);
    if (has('die-after')) await this.end();
    if (has('fail-after')) throw unreachable(call, name);
    return result;
  }

  private async end(): Promise<never> {
    this.die();
    return new Promise(() => undefined);
  }

  private spoil(bytes: Uint8Array, has: (kind: FaultKind) => boolean): Buffer {
    const spoilt = Buffer.from(has('cut-short') ? bytes.subarray(0, bytes.length >> 1) : bytes);
    if (has('flip-bit') && spoilt.length > 0) {
      const at = this.plan.below(spoilt.length);
      spoilt.writeUInt8(spoilt.readUInt8(at) ^ (1 << this.plan.below(8)), at);
    }
    return spoilt;
  }
}

function unreachable(call: StoreCall, name: string): EngineError {
  return new EngineError('store-unreachable', `${name}: the store fails on purpose (${call}).`, { isRetryable: true });
}

function lost(name: string): EngineError {
  return new EngineError('not-found', `${name}: lost on purpose.`);
}
