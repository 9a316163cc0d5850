/**
 * Where restores write what they did so far, so that one goes on after it was killed. Every implementation passes
 * `suites/restore-journals.suite.ts`: files of the command line, PostgreSQL of a portal, whose restores go on in another worker.
 */
export interface RestoreJournals {
  /** Opens the journal of a restore, or begins it. One restore at a time has it open: `claimTarget` sees to that. */
  open(restore: string): Promise<JournalLines>;
  /** Whether a restore has one: it was begun, and did not end. */
  has(restore: string): Promise<boolean>;
  /** For people: where the journal of a restore is. */
  placeOf(restore: string): string;
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
