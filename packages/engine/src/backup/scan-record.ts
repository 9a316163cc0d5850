import type { Item } from '../model/items.ts';
import type { LostItem } from '../model/outcome.ts';
import type { Scan } from '../source/source.ts';
import { DigestSet } from './digest-set.ts';
import { FilledPlaces } from './filled-places.ts';
import type { ObjectChanges } from './object-changes.ts';

interface RunningScan {
  scan: Scan;
  /** What it listed; `null` of a scan that removes nothing. */
  seen: DigestSet | null;
}

type ScannedObject = Pick<ObjectChanges, 'currentIds' | 'wasKnown'>;

/** Records the items that running scans listed, and finds those that they did not. */
export class ScanRecord {
  private readonly object: ScannedObject;
  private readonly scans = new Map<string, RunningScan>();
  /** Of an object that this run backs up for the first time; in one that was known, anything may be anywhere. */
  private readonly filled: FilledPlaces | null;

  constructor(object: ScannedObject) {
    this.object = object;
    this.filled = object.wasKnown ? null : new FilledPlaces();
  }

  /**
   * A scan whose place was empty removes nothing: all that is stored there by its end, it listed. In a first backup the catalog would list what was just
   * stored, for nothing.
   * @param isComplete whether the scan will list everything: one that continues after a break does not, and removes no items
   */
  begin(scan: Scan, isComplete: boolean): void {
    const mayRemove = isComplete && this.filled?.mayHave(scan) !== false;
    const seen = mayRemove ? new DigestSet() : null;
    for (const id of scan.except ?? []) seen?.add(digest(id));
    for (const kind of scan.kinds) this.filled?.add(kind, scan.parentId);
    this.scans.set(scan.scope, { scan, seen });
  }

  /** Several scans may be under way side by side: only those that the item belongs to remember it. */
  saw(item: Pick<Item, 'id' | 'kind' | 'parentId'>): void {
    let digested: number | null = null;
    let isListed = false;
    for (const { scan, seen } of this.scans.values()) {
      if (!scan.kinds.includes(item.kind)) continue;
      isListed ||= covers(scan, item);
      if (seen === null) continue;
      digested ??= digest(item.id);
      seen.add(digested);
    }
    if (!isListed) this.filled?.add(item.kind, item.parentId);
  }

  /**
   * Items that the scan covers and did not list: current ones, and lost ones of earlier runs. Those it listed as lost are there.
   */
  async *end({ scope }: Scan, lost: readonly LostItem[]): AsyncGenerator<Pick<Item, 'id' | 'parentId'>> {
    const ended = this.scans.get(scope);
    this.scans.delete(scope);
    if (ended === undefined || ended.seen === null) return;
    const { scan, seen } = ended;
    for await (const item of this.object.currentIds(scan.kinds, scan.parentId)) {
      if (!seen.has(digest(item.id))) yield item;
    }
    for (const item of lost) if (covers(scan, item) && !seen.has(digest(item.id))) yield item;
  }
}

function covers({ kinds, parentId }: Scan, item: Pick<Item, 'kind' | 'parentId'>): boolean {
  return kinds.includes(item.kind) && (parentId === undefined || parentId === item.parentId);
}

/**
 * 53 bits of a hash instead of an id of 150 characters: a scan of a million items takes 17 MB. Two ids of a million share a digest
 * with a chance of 1 in 18,000; then one deleted item is shown until it changes again, and nothing is lost. It lives as long as the scan, and ids are the
 * vendor's, so that a hash without a secret or a proof does: a cryptographic one takes three times as long.
 */
export function digest(id: string): number {
  let high = id.length;
  let low = 0x9e3779b9;
  for (let at = 0; at < id.length; at += 2) {
    const pair = id.charCodeAt(at) | (id.charCodeAt(at + 1) << 16);
    high = mixed(high ^ pair, 0xcc9e2d51, 15);
    low = mixed(low ^ pair, 0x1b873593, 13);
  }
  // No digest is zero, which means "no digest".
  return Math.max(1, spread(high) * 2_097_152 + (spread(low) >>> 11));
}

function mixed(value: number, factor: number, shift: number): number {
  const product = Math.imul(value, factor);
  return product ^ (product >>> shift);
}

/** Lets every bit depend on all of them (the end of MurmurHash3). */
const spread = (value: number) => mixed(mixed(value ^ (value >>> 16), 0x85ebca6b, 13), 0xc2b2ae35, 16) >>> 0;
