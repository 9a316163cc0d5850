import type { RestoredAbout } from './restored-about.ts';

/**
 * Where restores write what they did so far, so that one goes on after it was killed. Every implementation passes
 * `suites/restore-journals.suite.ts`: files of the command line, PostgreSQL of a portal, whose restores go on in another worker.
 */
export interface RestoreJournals {
  /** Opens the journal of a restore, or begins it. One restore at a time has it open: `claimTarget` sees to that. */
  open(restore: string): Promise<JournalLines>;
  /** Whether a restore has one: it was begun, and did not come to its end. */
  has(restore: string): Promise<boolean>;
  /** For people: where the journal of a restore is. */
  placeOf(restore: string): string;
}

/** Journals that a program can look through, such as those that no worker goes on with. */
export interface ListedRestoreJournals extends RestoreJournals {
  /** Restores that did not come to their end, or are under way, the oldest first. @param only those of an object, by its key */
  list(only?: { object?: string }): Promise<UnfinishedRestore[]>;
  /**
   * Takes a journal away, so that the same restore starts over; what it left half-written stays at the target. `false`: there is none.
   * @throws `locked` while a restore writes into that target
   */
  discard(restore: string): Promise<boolean>;
}

export interface UnfinishedRestore {
  /** Names it, for `discard`. */
  restore: string;
  begunAt: Date;
  /** What it is of, and where it writes; `null` where its journal does not say. */
  about: RestoredAbout | null;
  /** How many times an item was begun to be written. */
  begun: number;
  restored: number;
  replaced: number;
  skipped: number;
}

/** The lines of one journal. */
export interface JournalLines {
  /** Where it is, for people. */
  readonly place: string;
  /** What was appended before it was opened, in its order: whole lines, without line feeds. To be read once, before anything is appended. */
  earlier(): AsyncIterable<string>;
  /** Resolves when the lines are durable: they survive the end of the process and a loss of power. */
  append(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
  /** Takes the journal away: the next one of that restore is empty. Closes it first. */
  remove(): Promise<void>;
}
