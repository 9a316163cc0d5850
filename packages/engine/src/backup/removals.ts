import { CONTAINER_KINDS, type StoredItem } from '../model/items.ts';
import { digest } from './scan-record.ts';

/** What went from an object in this run and did not come back. */
export class Removals {
  private readonly gone = new Set<number>();
  private readonly containers: string[] = [];

  get count(): number {
    return this.gone.size;
  }

  went({ id, kind }: Pick<StoredItem, 'id' | 'kind'>): void {
    this.gone.add(digest(id));
    if (CONTAINER_KINDS.has(kind)) this.containers.push(id);
  }

  /** A move may show as a removal first. */
  cameBack(id: string): void {
    if (this.gone.size > 0) this.gone.delete(digest(id));
  }

  /** A container that went, each once. */
  nextContainer(): string | undefined {
    return this.containers.pop();
  }
}
