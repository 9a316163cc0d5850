import type { CreateOptions, ObjectFacts } from '../store/object-store.ts';
import { WrappedStore } from '../store/wrapped-store.ts';

/** `answer`: what was read comes late. */
export type StoreOperation = 'create' | 'read' | 'answer' | 'list' | 'delete' | 'lockedUntil' | 'extendLock';

/** A store one of whose operations does not answer until the test lets it go on; then it does what it was asked for, late. */
export class HangingStore extends WrappedStore {
  /** Called when something begins to hang. */
  onHang: () => void = () => undefined;
  lockDays: number | undefined;
  /** How far the store's clock is ahead. */
  aheadMs = 0;
  /** Objects that look two days older than they are. */
  private readonly old = new Set<string>();
  private hanging: { operation: StoreOperation; names: RegExp } | null = null;
  private goingOn = Promise.withResolvers<void>();

  /** @param names of the objects, or beginnings of names in lists, whose operation hangs */
  hang(operation: StoreOperation, names: RegExp): void {
    this.hanging = { operation, names };
  }

  /** What hangs takes place now. */
  goOn(): void {
    this.hanging = null;
    this.goingOn.resolve();
    this.goingOn = Promise.withResolvers();
  }

  override async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    await this.turn('create', name);
    return super.create(name, bytes, options);
  }

  override async read(name: string): Promise<Buffer> {
    await this.turn('read', name);
    const bytes = await super.read(name);
    await this.turn('answer', name);
    return bytes;
  }

  override async readRange(name: string, start: number, length: number): Promise<Buffer> {
    await this.turn('read', name);
    return super.readRange(name, start, length);
  }

  override async *list(prefix: string): AsyncGenerator<ObjectFacts> {
    await this.turn('list', prefix);
    for await (const facts of super.list(prefix)) {
      const ageMs = this.old.has(facts.name) ? 2 * 86_400_000 : 0;
      yield { ...facts, createdAt: new Date(facts.createdAt.getTime() - ageMs) };
    }
  }

  /** Makes all that is there with this prefix two days older. */
  async age(prefix: string): Promise<void> {
    for await (const { name } of super.list(prefix)) this.old.add(name);
  }

  override async delete(name: string): Promise<void> {
    await this.turn('delete', name);
    return super.delete(name);
  }

  async lockedUntil(name: string): Promise<Date | null> {
    await this.turn('lockedUntil', name);
    return null;
  }

  async extendLock(name: string): Promise<void> {
    await this.turn('extendLock', name);
  }

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  private async turn(operation: StoreOperation, name: string): Promise<void> {
    if (this.hanging?.operation !== operation || !this.hanging.names.test(name)) return;
    this.onHang();
    await this.goingOn.promise;
  }
}
