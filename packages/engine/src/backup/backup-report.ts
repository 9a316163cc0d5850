import type { DoubledRevision } from '../catalog/catalog.ts';
import { countedSkew, skewText } from '../model/clock-skew.ts';
import type { ObjectCounts, OnEvent } from '../model/engine-event.ts';
import {
  type Alert,
  type Findings,
  type LostItem,
  NO_COUNTS,
  type ObjectFlag,
  type OfObject,
  type Outcome,
  type RunCounts,
  type SkipCause,
} from '../model/outcome.ts';
import type { RunEnd } from '../repository/commit.ts';

/** Keeps the lists in the end of a run readable; counts and the flags of objects are complete. */
const LISTED_MAX = 1_000;

/** An object as a report names it. */
export interface ReportedObject {
  key: string;
  object: { name: string };
}

/** What a run has found so far; each finding is reported as it is made. */
export class BackupReport {
  /** Of every object that is not known to be whole. */
  readonly flags: Map<string, ObjectFlag>;
  readonly findings: Findings;
  /** Of this report alone, without its parts'. */
  readonly counts: RunCounts = { ...NO_COUNTS };
  private readonly onEvent: OnEvent;
  private readonly parts = new Set<BackupReport>();

  constructor(onEvent: OnEvent = () => undefined, whole?: BackupReport) {
    this.onEvent = onEvent;
    this.flags = whole?.flags ?? new Map();
    this.findings = whole?.findings ?? { failures: [], lost: [], skipped: [], alerts: [] };
  }

  /** A report of one object: its counts are its own until `join`, its findings are those of the run. */
  part(): BackupReport {
    const part = new BackupReport(this.onEvent, this);
    this.parts.add(part);
    return part;
  }

  /** Adds the counts of a part that is complete to those of the run. */
  join(part: BackupReport): void {
    if (this.parts.delete(part)) addTo(this.counts, part.counts);
  }

  /** What was counted so far, in parts that are not complete too. */
  total(): RunCounts {
    const total = { ...this.counts };
    for (const part of this.parts) addTo(total, part.counts);
    return total;
  }

  /** What was read of an object of which this is the report. */
  objectCounts(): ObjectCounts {
    const { itemsRead, itemsRemoved, itemsLost, itemsSkipped, bytesRead } = this.counts;
    return { itemsRead, itemsRemoved, itemsLost, itemsSkipped, bytesRead };
  }

  /** How an object ended of which this is the report. */
  outcomeOf(key: string): Outcome {
    if (this.counts.objectsFailed > 0) return 'Failed';
    return this.flags.has(key) ? 'Warning' : 'Success';
  }

  /** Nothing more was read of an object. */
  failed(of: ReportedObject, message: string): void {
    this.counts.objectsFailed += 1;
    this.partFailed(of, message);
  }

  /** The run was stopped before all of an object was read; the next one goes on from there. */
  stopped({ key }: ReportedObject): void {
    this.flag(key, 'incomplete');
  }

  /** A part of an object was not read, and the others were: it makes the run partial, and not failed. */
  partFailed({ key, object }: ReportedObject, message: string): void {
    this.flag(key, 'incomplete');
    this.failure(object.name, message, key);
  }

  /** Much of an object went at once: it stays for longer. */
  shrunk({ key, object }: ReportedObject, gone: number, before: number): void {
    this.flag(key, 'shrunk');
    const [count, all] = [gone, before].map((number) => number.toLocaleString('en'));
    this.failure(
      object.name,
      `${count} of ${all} items were deleted since the last run. They stay in the earlier restore points, for 90 days longer than a prune would leave them. If this was not intended, restore them from a restore point that still has them.`,
      key,
    );
  }

  /** That much is gone says more than that something could not be read. */
  private flag(key: string, flag: ObjectFlag): void {
    if (this.flags.get(key) !== 'shrunk') this.flags.set(key, flag);
  }

  /** @param objectKey without: what failed is no object that the repository knows */
  failure(objectName: string | null, message: string, objectKey?: string): void {
    const { failures } = this.findings;
    if (failures.length < LISTED_MAX) failures.push({ objectName, message, ...of(objectKey) });
    this.onEvent({ type: 'failure', objectName, message });
  }

  /** The flags of objects, by key; those that have none are whole. */
  flagsOf(objects: RunEnd['objects']): Record<string, ObjectFlag> {
    const flagged = objects.flatMap(([key]) => {
      const flag = this.flags.get(key);
      return flag === undefined ? [] : [[key, flag] as const];
    });
    return Object.fromEntries(flagged);
  }

  lost({ key, object }: ReportedObject, item: LostItem): void {
    this.flag(key, 'incomplete');
    this.counts.itemsLost += 1;
    if (this.findings.lost.length < LISTED_MAX)
      this.findings.lost.push({ ...item, objectName: object.name, objectKey: key });
    this.onEvent({ type: 'lost', objectName: object.name, item });
  }

  skipped({ key, object }: ReportedObject, id: string, name: string, cause: SkipCause): void {
    const objectName = object.name;
    this.counts.itemsSkipped += 1;
    const { skipped } = this.findings;
    if (skipped.length < LISTED_MAX) skipped.push({ objectName, id, name, cause, objectKey: key });
    this.onEvent({ type: 'skipped', objectName, id, name, cause });
  }

  /** Reports a revision that two runs wrote. Both versions are stored; the cause must still be found. */
  doubled(revisions: readonly DoubledRevision[]): void {
    for (const { object: key, objectName: name, revision, run, storedAs } of revisions)
      this.alert(
        'doubled-revision',
        `Two runs wrote revision ${revision} of '${name}'; that of run ${run} is stored as revision ${storedAs}. Both can be restored, and the whole object is read again.`,
        { key, object: { name } },
      );
  }

  lostRevision(about: ReportedObject, given: number, found: number): void {
    this.alert(
      'lost-revision',
      `'${about.object.name}' was at revision ${given}, but the journals end at revision ${found}: commits were lost. The backup continues from revision ${found}. To recover the lost commits, copy the journals back from a copy of the repository and rebuild the catalog.`,
      about,
    );
  }

  /**
   * Reports clocks that differ by more than they may.
   * @param skewsMs how far the clock of this machine is ahead of that of the store, and of the source; `null`: not known
   */
  clocks(skewsMs: { store: number; source: number | null }): void {
    const instantsOf = skewsMs.source === null ? 'store' : 'source';
    for (const whose of ['store', 'source'] as const) {
      const skewMs = countedSkew(skewsMs[whose] ?? 0);
      if (skewMs !== 0) this.wrongClock(whose, skewMs, instantsOf);
    }
    const storeSkewMs = skewsMs.source === null ? 0 : countedSkew(skewsMs.source - skewsMs.store);
    if (storeSkewMs !== 0) this.findings.storeSkewMs = storeSkewMs;
  }

  private wrongClock(whose: 'store' | 'source', skewMs: number, instantsOf: 'store' | 'source'): void {
    this.alert(
      'wrong-clock',
      `The clock of this machine is ${skewText(skewMs)} of that of the ${whose}. Instants of this run are those of the ${instantsOf}. Set the clock that is wrong: until then nothing is pruned from here.`,
    );
  }

  alerts(alerts: readonly Alert[], about: ReportedObject): void {
    for (const { code, message } of alerts) this.alert(code, message, about);
  }

  /** @param about without: all of the run */
  alert(code: string, message: string, about?: ReportedObject): void {
    const { alerts } = this.findings;
    // What concerns the whole run is never left out for what concerns one object of many.
    if (alerts.length >= LISTED_MAX && about === undefined) {
      const ofObject = alerts.findLastIndex((one) => one.objectKey !== undefined);
      if (ofObject >= 0) alerts.splice(ofObject, 1);
    }
    if (alerts.length < LISTED_MAX) alerts.push({ code, message, ...of(about?.key) });
    this.onEvent({ type: 'alert', objectName: about?.object.name ?? null, code, message });
  }
}

const of = (objectKey: string | undefined): OfObject => (objectKey === undefined ? {} : { objectKey });

function addTo(sum: RunCounts, counts: RunCounts): void {
  sum.objects += counts.objects;
  sum.objectsFailed += counts.objectsFailed;
  sum.itemsRead += counts.itemsRead;
  sum.itemsRemoved += counts.itemsRemoved;
  sum.itemsLost += counts.itemsLost;
  sum.itemsSkipped += counts.itemsSkipped;
  sum.bytesRead += counts.bytesRead;
  sum.bytesStored += counts.bytesStored;
}
