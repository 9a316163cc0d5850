import type { Alert } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { FoundSubject, ReadRequest, Selection, Source, SourceEvent } from '../source/source.ts';

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

  async *listObjects(
    selection: Selection,
    signal: AbortSignal,
    onFound?: (found: FoundSubject) => void,
  ): AsyncGenerator<ProtectedObject | Alert> {
    const waiting: (ProtectedObject | Alert)[] = [];
    const leaving = new AbortController();
    let next = Promise.withResolvers<void>();
    let isOver = false;
    const list = this.source.listObjects(selection, AbortSignal.any([signal, leaving.signal]), onFound);
    const listing = this.readAhead(list, (found) => {
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
  skewMs(): number | null {
    return this.source.skewMs?.() ?? null;
  }

  async askTime(signal: AbortSignal): Promise<void> {
    await this.source.askTime?.(signal);
  }

  read(request: ReadRequest): AsyncIterable<SourceEvent> {
    return this.source.read(request);
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async readAhead(
    list: AsyncIterable<ProtectedObject | Alert>,
    onListed: (listed: ProtectedObject | Alert) => void,
  ): Promise<void> {
    for await (const listed of list) {
      if ('kind' in listed) this.objects += 1;
      onListed(listed);
    }
    this.isListed = true;
  }
}
