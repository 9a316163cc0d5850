import type { DoubledRevision } from '../catalog/catalog.ts';
import { skewText } from '../model/clock-skew.ts';
import { type Findings, type LostItem, NO_COUNTS, type RunCounts, type SkipCause } from '../model/outcome.ts';

/** Lists in the end of a run stay readable; counts tell all. */
const LISTED_MAX = 1_000;

/** What a run has found so far. */
export class BackupReport {
  readonly counts: RunCounts = { ...NO_COUNTS };
  readonly findings: Findings = { failures: [], lost: [], skipped: [], alerts: [] };

  failed(objectName: string | null, message: string): void {
    this.counts.objectsFailed += objectName === null ? 0 : 1;
    this.partFailed(objectName, message);
  }

  /** A part of an object was not read, and the others were: it makes the run partial, and not failed. */
  partFailed(objectName: string | null, message: string): void {
    if (this.findings.failures.length < LISTED_MAX) this.findings.failures.push({ objectName, message });
  }

  lost(objectName: string, item: LostItem): void {
    this.counts.itemsLost += 1;
    if (this.findings.lost.length < LISTED_MAX) this.findings.lost.push({ ...item, objectName });
  }

  skipped(objectName: string, id: string, name: string, cause: SkipCause): void {
    this.counts.itemsSkipped += 1;
    if (this.findings.skipped.length < LISTED_MAX) this.findings.skipped.push({ objectName, id, name, cause });
  }

  /** Said by whoever finds it: what came of it is mended by now, and what led to it is to be found. */
  doubled(revisions: readonly DoubledRevision[]): void {
    for (const { objectName, revision, run, keptAs } of revisions)
      this.alert(
        'doubled-revision',
        `Revision ${revision} of '${objectName}' was brought by two runs; that of run ${run} is kept as revision ${keptAs}. Everything of both can be brought back, and the object is read anew as a whole.`,
      );
  }

  lostRevision(objectName: string, given: number, found: number): void {
    this.alert(
      'lost-revision',
      `'${objectName}' was at revision ${given}, and the journals tell of ${found} alone: commits were lost. It goes on from there; bring the journals back from a copy of the repository, and rebuild the catalog, to have what was between.`,
    );
  }

  /** @param skewMs 0 for a clock that is right */
  wrongClock(whose: string, skewMs: number): void {
    if (skewMs === 0) return;
    this.alert(
      'wrong-clock',
      `The clock of this machine is ${skewText(skewMs)} of ${whose}. Instants of this run are the store's. Set the clock: until then nothing is pruned from here.`,
    );
  }

  alert(code: string, message: string): void {
    if (this.findings.alerts.length < LISTED_MAX) this.findings.alerts.push({ code, message });
  }
}
