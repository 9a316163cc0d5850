import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import { type DeltaScope, type DeltaStep, readDelta } from '../delta/delta.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { LeftOutVersions, limitOf, startOf, versionsAsked, withLimit } from '../earlier-versions.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import { groupsOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { type CountedLimit, eventsOfItems } from './drive-contents.ts';
import { driveItem, isDeleted, isRoot } from './drive-item.ts';
import { DELTA_HEADERS, driveContainer, drivePath, itemPath, placeInDrive } from './drive-paths.ts';
import { DriveRoot } from './drive-root.ts';

/** Items whose permissions and versions are asked for together: one batch of at most 20 calls, or two. */
const GROUP = 20;
const GROUPS_AT_ONCE = 4;

/** All of a drive from its cursor on: folders, files with their earlier versions, and whom they are shared with. */
export async function* readDrive(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { object, cursors, signal } = request;
  const delta: DeltaScope = {
    scope: 'items',
    path: `${drivePath(object.id)}/root/delta`,
    headers: DELTA_HEADERS,
    kinds: ['folder', 'file'],
    isRereadMonthly: true,
  };
  const from = readCursor(cursors.get(delta.scope));
  const leftOut = new LeftOutVersions();
  const versions = { ...limitOf(from, yield* versionsAsked(reading)), leftOut };
  const round = new Round(reading, versions);
  const steps = readDelta(connection, delta, startOf(from, versions), signal);
  for await (const events of inOrder(round.unitsOf(steps), GROUPS_AT_ONCE, (unit) => round.eventsOf(unit)))
    yield* events;
  yield* round.lostItems();
  yield* leftOut.alerts(object, 'file', versions.max);
}

/** Items to read together, or events as they are. */
type Unit = { entities: JsonObject[]; rootId: string } | { events: SourceEvent[] };

class Round {
  private readonly reading: Reading;
  private readonly versions: CountedLimit;
  private readonly root: DriveRoot;
  /** Reported as gone in this round: an item that comes again is read again, since what is stored of it may be gone by then. */
  private readonly removed = new Set<string>();
  private readonly lost: Set<string>;

  constructor(reading: Reading, versions: CountedLimit) {
    this.reading = reading;
    this.versions = versions;
    this.root = new DriveRoot(reading);
    this.lost = new Set(reading.request.lost.map(({ id }) => id));
  }

  /** @throws why so many items failed one after the other that the drive is not read on */
  async *unitsOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Unit> {
    const { failures, request } = this.reading;
    for await (const step of steps) {
      const why = failures.whyGivenUp(driveContainer(request.object.id));
      if (why !== null) throw why;
      if (step.type !== 'page') yield { events: [withLimit(step, this.versions)] };
      else yield* this.unitsOfPage(step.values);
    }
  }

  private async *unitsOfPage(values: readonly JsonObject[]): AsyncGenerator<Unit> {
    this.root.learn(values);
    // An item may come more than once, and the last word counts; it stays where it came first, before what is in it.
    const last = [...new Map(values.map((entity) => [textOf(entity['id']), entity])).values()];
    const gone = last.filter(isDeleted).flatMap(({ id }) => textOf(id) ?? []);
    for (const id of gone) {
      this.removed.add(id);
      this.lost.delete(id);
    }
    if (gone.length > 0) yield { events: gone.map((id) => ({ type: 'removed', id })) };
    const there = last.filter((entity) => !isDeleted(entity) && !isRoot(entity));
    for (const { id } of there) this.lost.delete(textOf(id) ?? '');
    if (there.length === 0) return;
    const rootId = await this.root.id();
    for (const entities of groupsOf(there, GROUP)) yield { entities, rootId };
  }

  eventsOf(unit: Unit): Promise<SourceEvent[]> {
    return 'events' in unit ? Promise.resolve(unit.events) : this.read(unit.entities, unit.rootId);
  }

  private async read(entities: readonly JsonObject[], rootId: string, isRetry = false): Promise<SourceEvent[]> {
    const items = entities.map((entity) => ({ entity, item: driveItem(entity, rootId) }));
    const stored = await this.reading.request.current(items.map(({ item }) => item.id));
    const listed = items.map(({ entity, item }) => {
      return { entity, item, known: this.removed.has(item.id) ? undefined : stored.get(item.id) };
    });
    return eventsOfItems(this.reading, listed, this.versions, isRetry);
  }

  /** Reads the lost items of earlier runs again that this round did not list. */
  async *lostItems(): AsyncGenerator<SourceEvent> {
    const { connection, request, failures } = this.reading;
    for (const group of groupsOf(
      [...request.lost].filter(({ id }) => this.lost.has(id)),
      GROUP,
    )) {
      const calls = group.map(({ id }) => ({ path: itemPath(request.object.id, id) }));
      const replies = await repliesTo(connection, calls, request.signal);
      for (const [index, item] of group.entries()) {
        const reply = replies[index];
        if (reply !== undefined && !('error' in reply) && isObject(reply.body))
          yield* await this.read([reply.body], await this.root.id(), true);
        else if (reply !== undefined && 'error' in reply)
          yield await failures.stillLost(item, reply.error, placeInDrive(request.object.id, item.id));
      }
    }
  }
}
