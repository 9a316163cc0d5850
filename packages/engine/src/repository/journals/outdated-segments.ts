import { isDeepStrictEqual } from 'node:util';
import { forEachAtOnce } from '../../model/for-each-at-once.ts';
import { orDamaged } from '../../model/or-damaged.ts';
import type { Commit } from '../commit.ts';
import { COMMIT_NAME } from '../object-names.ts';
import type { ListedJournal, ListedSegment, LivingLock } from '../repository.ts';
import type { SegmentEntry } from './segment-layout.ts';
import type { Segments } from './segments.ts';

const READ_AT_ONCE = 16;

type ReadForm = (run: string, sequence: number, form: number) => Promise<Commit>;

/** An entry of a segment beside the last form of its commit that is an object of its own; -1: it has none. */
interface Beside {
  entry: SegmentEntry;
  form: number;
}

/**
 * Segments that say what an erasure took out of the journals beside them (format, 9): who wrote them stood still meanwhile, and died before it could
 * look.
 */
export class OutdatedSegments {
  private readonly segments: Segments;
  private readonly readForm: ReadForm;

  constructor(segments: Segments, readForm: ReadForm) {
    this.segments = segments;
    this.readForm = readForm;
  }

  async drop(
    segment: ListedSegment,
    journals: readonly ListedJournal[],
    lock: LivingLock,
  ): Promise<'current' | 'outdated' | 'dropped'> {
    const forms = lastForms(journals);
    const entries = await this.segments.entriesOf(segment);
    const all = entries.map((entry) => ({ entry, form: forms.get(placeOf(entry.run, entry.sequence)) ?? -1 }));
    if (!(await this.saysMore(segment, all))) return 'current';
    if (!(await this.isElsewhere(all))) return 'outdated';
    lock.check();
    return (await this.segments.drop(segment)) === null ? 'dropped' : 'outdated';
  }

  /** Erasures that were cut short may give the same words other numbers here and there. */
  private async saysMore(segment: ListedSegment, all: readonly Beside[]): Promise<boolean> {
    for (const { entry, form } of all.filter((one) => one.form > one.entry.form)) {
      const { run, sequence } = entry;
      const copies = await orDamaged(this.segments.commitsOf(segment, run));
      const own = await orDamaged(this.readForm(run, sequence, form));
      if (copies !== null && !isDeepStrictEqual(own, copies.get(sequence))) return true;
    }
    return false;
  }

  /** Whether each commit of a segment can be read from a form of its own that says no more. */
  private async isElsewhere(all: readonly Beside[]): Promise<boolean> {
    if (all.some(({ entry, form }) => form < entry.form)) return false;
    let unread = 0;
    await forEachAtOnce(all, READ_AT_ONCE, async ({ entry: { run, sequence }, form }) => {
      if ((await orDamaged(this.readForm(run, sequence, form))) === null) unread += 1;
    });
    return unread === 0;
  }
}

function lastForms(journals: readonly ListedJournal[]): Map<string, number> {
  const forms = new Map<string, number>();
  for (const name of journals.flatMap(({ names }) => names)) {
    const [, run = '', sequence, form = '0'] = COMMIT_NAME.exec(name) ?? [];
    const place = placeOf(run, Number(sequence));
    forms.set(place, Math.max(forms.get(place) ?? 0, Number(form)));
  }
  return forms;
}

const placeOf = (run: string, sequence: number) => `${run} ${sequence}`;
