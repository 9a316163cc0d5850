import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EngineError } from '../model/engine-error.ts';
import { shortKey } from './claims.ts';
import type { ItemOutcome } from './item-outcome.ts';
import type { JournalLines, RestoreJournals } from './restore-journals.ts';
import { type RestoredAbout, restoredAbout } from './restored-about.ts';

/**
 * What a restore did so far, as lines of JSON, so that it can go on after it was killed:
 *
 * - `begun` is durable before something new is written, with what was there before. Whatever is found beside that later was left
 *   half-written, and is removed before the item is written again.
 * - `done` is durable before an item counts as dealt with.
 *
 * Without them a restore that starts over finds what is there already; it cannot distinguish a half-written item from a whole one, and
 * cannot know which copies of `keep-both` are its own.
 */
const line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('restore'), of: z.string(), about: restoredAbout.optional() }),
  z.object({ type: z.literal('begun'), item: z.string(), before: z.array(z.string()) }),
  z.object({
    type: z.literal('done'),
    item: z.string(),
    outcome: z.enum(['restored', 'replaced', 'skipped']),
    reason: z.string().optional(),
    target: z.string().optional(),
    claimed: z.string().optional(),
    bytes: z.number().optional(),
    losses: z.array(z.string()).optional(),
  }),
]);

type Line = z.infer<typeof line>;
export type DoneLine = Extract<Line, { type: 'done' }>;

export interface RestoreJournal {
  /** Short keys of what matches items that an earlier attempt dealt with. */
  readonly claimed: Set<string>;
  isDone(item: string): boolean;
  /** Items that were begun and not finished, by an earlier attempt or this one, each with the ids of what was there before. */
  begun(): readonly (readonly [item: string, before: readonly string[]])[];
  begin(item: string, before: readonly string[]): Promise<void>;
  done(outcome: ItemOutcome): Promise<void>;
  close(): Promise<void>;
  /** The restore is over: the next one of the same kind starts over. */
  remove(): Promise<void>;
}

/** One and the same restore has one and the same fingerprint. */
export function fingerprintOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * @param journals where it is written; `null`: nowhere
 * @param onDone called with what an earlier attempt dealt with
 * @param about written when it is begun
 * @throws `bad-request` when what is there is of another restore
 */
export async function openRestoreJournal(
  journals: RestoreJournals | null,
  fingerprint: string,
  onDone: (done: DoneLine) => void,
  about?: RestoredAbout,
): Promise<RestoreJournal> {
  const lines = (await journals?.open(fingerprint)) ?? null;
  const journal = new WrittenJournal(lines, onDone);
  try {
    await journal.read(fingerprint, about);
  } catch (error) {
    await journal.close();
    throw error;
  }
  return journal;
}

class WrittenJournal implements RestoreJournal {
  readonly claimed = new Set<string>();
  private readonly lines: JournalLines | null;
  private readonly onDone: (done: DoneLine) => void;
  private readonly finished = new Set<string>();
  private readonly unfinished = new Map<string, readonly string[]>();
  private waiting: string[] = [];
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  constructor(lines: JournalLines | null, onDone: (done: DoneLine) => void) {
    this.lines = lines;
    this.onDone = onDone;
  }

  async read(fingerprint: string, about: RestoredAbout | undefined): Promise<void> {
    if (this.lines === null) return;
    let at = 0;
    for await (const text of this.lines.earlier()) {
      at += 1;
      const one = this.parse(text, at);
      if (at === 1) this.requireOf(one, fingerprint);
      else this.apply(one);
    }
    if (at === 0) await this.append({ type: 'restore', of: fingerprint, ...(about === undefined ? {} : { about }) });
  }

  isDone(item: string): boolean {
    return this.finished.has(shortKey(item));
  }

  begun(): readonly (readonly [string, readonly string[]])[] {
    return [...this.unfinished];
  }

  async begin(item: string, before: readonly string[]): Promise<void> {
    this.unfinished.set(item, before);
    await this.append({ type: 'begun', item, before: [...before] });
  }

  async done({ id, outcome, reason, targetId, claimedId, bytes, losses }: ItemOutcome): Promise<void> {
    // What failed is tried again by the next attempt, and may have left something half-written.
    if (outcome === 'failed') return;
    this.unfinished.delete(id);
    await this.append({
      type: 'done',
      item: id,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(targetId === undefined ? {} : { target: targetId }),
      ...(claimedId === undefined ? {} : { claimed: claimedId }),
      ...(bytes > 0 ? { bytes } : {}),
      ...(losses.length > 0 ? { losses: [...losses] } : {}),
    });
  }

  async close(): Promise<void> {
    try {
      await this.last;
    } finally {
      await this.lines?.close();
    }
  }

  async remove(): Promise<void> {
    await this.last;
    await this.lines?.remove();
  }

  private requireOf(first: Line, fingerprint: string): void {
    if (first.type === 'restore' && first.of === fingerprint) return;
    throw new EngineError(
      'bad-request',
      `The journal ${this.lines?.place} belongs to another restore. Give the same restore point, items, target and options, or another file.`,
    );
  }

  private parse(text: string, at: number): Line {
    try {
      return line.parse(JSON.parse(text));
    } catch (cause) {
      throw new EngineError(
        'damaged',
        `Line ${at} of the journal ${this.lines?.place} cannot be read. Start the restore again with another file; it finds what is there already.`,
        { cause },
      );
    }
  }

  private apply(one: Line): void {
    if (one.type === 'begun') this.unfinished.set(one.item, one.before);
    if (one.type !== 'done') return;
    this.unfinished.delete(one.item);
    this.finished.add(shortKey(one.item));
    this.onDone(one);
    for (const id of [one.target, one.claimed]) if (id !== undefined) this.claimed.add(shortKey(id));
  }

  /** Lines that come while others are being written go out together after them. */
  private append(value: Line): Promise<void> {
    if (this.lines === null) return Promise.resolve();
    this.waiting.push(JSON.stringify(value));
    if (this.next !== null) return this.next;
    const flush = this.last.then(() => {
      this.next = null;
      return this.flush();
    });
    this.next = flush;
    this.last = flush;
    return flush;
  }

  private async flush(): Promise<void> {
    const lines = this.waiting;
    this.waiting = [];
    if (lines.length > 0) await this.lines?.append(lines);
  }
}
