import type { DirectoryObject } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { GraphConnection } from '@keepwatch/engine/engine';
import { type DirectoryQuery, HEADERS, isMeant, objectOf, pathOf } from './directory-query.ts';

/** A page of a list; `count` is exact where `isWhole`, else of what was read so far. */
export interface DirectoryPage {
  rows: DirectoryObject[];
  count: number;
  isWhole: boolean;
}

/**
 * A list of the directory as far as it was read. Microsoft gives pages one after the other and no page by its number, so what was
 * read stays, and scrolling on reads on from there.
 */
export class DirectoryWalk {
  private readonly query: DirectoryQuery;
  private readonly rows: DirectoryObject[] = [];
  /** Sites of which it is known whether there are sites below them. */
  private readonly looked = new Set<string>();
  private next: string | null;
  private total: number | null = null;
  private reading: Promise<unknown> = Promise.resolve();

  /** @param top rows a page of Microsoft's */
  constructor(query: DirectoryQuery, top: number) {
    this.query = query;
    this.next = pathOf(query, top);
  }

  get size(): number {
    return this.rows.length;
  }

  /** Reads on until a page is there. Others that read the same list wait for each other, and not twice for one page. */
  async page(connection: GraphConnection, offset: number, limit: number, signal: AbortSignal): Promise<DirectoryPage> {
    const before = this.reading;
    const read = before.catch(() => undefined).then(() => this.readTo(connection, offset + limit, signal));
    this.reading = read;
    await read;
    const rows = this.rows.slice(offset, offset + limit);
    if (this.query.kind === 'site') await this.lookBelow(connection, rows, signal);
    return { rows, count: this.total ?? this.rows.length, isWhole: this.total !== null || this.next === null };
  }

  private async readTo(connection: GraphConnection, end: number, signal: AbortSignal): Promise<void> {
    while (this.rows.length < end && this.next !== null) {
      const { value, nextLink, count } = await connection.page({ path: this.next, headers: HEADERS, signal });
      const found = value.map((entity) => objectOf(this.query.kind, entity));
      this.rows.push(...found.filter((row) => isMeant(this.query, row)));
      this.total ??= count ?? null;
      this.next = nextLink;
    }
  }

  /** Asks of the sites of one page alone: of all it would be a request each. Batches go side by side, so that a page waits for one of them. */
  private async lookBelow(
    connection: GraphConnection,
    rows: readonly DirectoryObject[],
    signal: AbortSignal,
  ): Promise<void> {
    const unknown = rows.filter(({ id, isPersonal }) => !isPersonal && !this.looked.has(id));
    const calls = unknown.map(({ id }) => ({ path: `/sites/${encodeURIComponent(id)}/sites?$select=id&$top=1` }));
    const batches = Array.from({ length: Math.ceil(calls.length / CALLS_A_BATCH) }, (_, at) =>
      connection.batch(calls.slice(at * CALLS_A_BATCH, (at + 1) * CALLS_A_BATCH), signal),
    );
    const replies = (await Promise.all(batches)).flat();
    for (const [index, row] of unknown.entries()) {
      const reply = replies[index];
      // A site that is locked or gone shows nothing below it.
      row.hasChildren = reply !== undefined && 'body' in reply && hasRows(reply.body);
      this.looked.add(row.id);
    }
  }
}

/** As many as Microsoft takes in one; https://learn.microsoft.com/graph/json-batching */
const CALLS_A_BATCH = 20;

function hasRows(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'value' in body && Array.isArray(body.value) && body.value.length > 0
  );
}
