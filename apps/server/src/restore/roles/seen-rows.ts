import type { SignedInContext } from '../../foundation/http/context.ts';
import type { Page } from '../../foundation/page.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OrderedObjects } from './coverage.ts';
import { findReach, isLimited, type Reach } from './reach.ts';
import { coversAll } from './user-reach.ts';

/** A restore or a download: which objects of an organization it is about. */
interface Ordered {
  organizationId: string;
  objects: OrderedObjects;
}

/** As many rows of an operator are looked through: the newest. */
const ROWS_MAX = 1_000;

/**
 * Shows a user those of their restores and downloads whose objects they may still see: their names, counts and files are content as well, and
 * a role may have changed since.
 */
export class SeenRows<Row> {
  private readonly services: RestoreServices;
  private readonly orderedIn: (row: Row) => Ordered;

  constructor(services: RestoreServices, orderedIn: (row: Row) => Ordered) {
    this.services = services;
    this.orderedIn = orderedIn;
  }

  /** Reads a page. @param read reads one that begins anywhere, with the count of all */
  async page(
    context: SignedInContext,
    { limit, offset }: { limit: number; offset: number },
    read: (page: { limit: number; offset: number }) => Promise<Page<Row>>,
  ): Promise<Page<Row>> {
    if (!isLimited(context.actor.roles)) return read({ limit, offset });
    const { data } = await read({ limit: ROWS_MAX, offset: 0 });
    const isSeen = this.seeing(context);
    const seen: Row[] = [];
    for (const row of data) if (await isSeen(row)) seen.push(row);
    return { count: seen.length, data: seen.slice(offset, offset + limit) };
  }

  /** A row, or `null` where its user may not see it any more. */
  async one(context: SignedInContext, row: Row | null): Promise<Row | null> {
    if (row === null || !isLimited(context.actor.roles)) return row;
    return (await this.seeing(context)(row)) ? row : null;
  }

  /** Looks each organization up once. */
  private seeing(context: SignedInContext): (row: Row) => Promise<boolean> {
    const reaches = new Map<string, Promise<Reach | null>>();
    return async (row) => {
      const { organizationId, objects } = this.orderedIn(row);
      const asked = reaches.get(organizationId) ?? refusing(() => findReach(this.services, context, organizationId));
      reaches.set(organizationId, asked);
      const reach = await asked;
      return reach !== null && coversAll(reach, objects);
    };
  }
}
