import type { Progress } from '../model/progress.ts';
import type { Row } from './text/table.ts';

/** Where a command reports what it does: to a person (`TextOutput`), or to a program (`JsonOutput`). */
export interface Output {
  /** Whether everything is to be reported: a person stops reading, a program does not. */
  readonly takesAll: boolean;
  progress(progress: Progress): void;
  /**
   * The result: a table for a person, one line of JSON for each row otherwise.
   * @param empty what a person reads when there is none: what that means, and what to do next
   */
  rows(rows: readonly Row[], empty?: string): void;
  /** A sentence, and the same as data. */
  say(text: string, data: Row): void;
  /** Something that went wrong or is missing: a sentence, and the same as data. */
  problem(text: string, data: Row): void;
  /** That nothing happens for a while, and nothing is wrong: a sentence, and the same as data. */
  wait(text: string, data: Row): void;
  /** Reports the last, whatever happened. */
  end(exitCode: number, seconds: number): void;
}
