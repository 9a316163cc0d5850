import type { Alert } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ReadRequest, Selection, Source, SourceEvent } from '../source/source.ts';

/**
 * A source that lists ahead of its reader, so that it is known how many objects there will be. Listing asks about every person and
 * site and takes its time; reading begins with the first object all the same.
 */
export class CountedSource implements Source {
  readonly organizationId: string;
  private readonly source: Source;
  private objects = 0;
  private isListed = false;

  constructor(source: Source) {
    this.source = source;
    this.organizationId = source.organizationId;
  }

  /** How many objects there are; `null` until all are listed. */
  get total(): number | null {
    return this.isListed ? this.objects : null;
  }

  async *listObjects(selection: Selection, signal: AbortSignal): AsyncGenerator<ProtectedObject | Alert> {
    const waiting: (ProtectedObject | Alert)[] = [];
    const leaving = new AbortController();
    let next = Promise.withResolvers<void>();
    let isOver = false;
    const listing = this.list(selection, AbortSignal.any([signal, leaving.signal]), (found) => {
      waiting.push(found);
      next.resolve();
    }).finally(() => {
      isOver = true;
      next.resolve();
    });
    // It is thrown below, when its turn has come; until then a failure must not count as unhandled.
    listing.catch(() => undefined);
    try {
      for (;;) {
        for (let found = waiting.shift(); found !== undefined; found = waiting.shift()) yield found;
        if (isOver) break;
        await next.promise;
        next = Promise.withResolvers<void>();
      }
      await listing;
    } finally {
      leaving.abort();
    }
  }

  /** As the source says it: without this, a clock that is wrong would not be noticed. */
  skewMs(): number {
    return this.source.skewMs?.() ?? 0;
  }

  read(request: ReadRequest): AsyncIterable<SourceEvent> {
    return this.source.read(request);
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async list(selection: Selection, signal: AbortSignal, onFound: (found: ProtectedObject | Alert) => void) {
    for await (const found of this.source.listObjects(selection, signal)) {
      if ('kind' in found) this.objects += 1;
      onFound(found);
    }
    this.isListed = true;
  }
}
