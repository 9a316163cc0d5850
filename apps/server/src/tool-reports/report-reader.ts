import type { RefusalCode } from '@keepwatch/contract/wire/refusal-codes';
import { type FieldError, Refusal } from '../foundation/errors.ts';
import { WorkThread, WorkTooLarge } from '../foundation/work-thread.ts';
import { readReport } from './read-report.ts';
import type { ReportCircumstances, ReportedRun } from './reported-run.ts';

/** A request to a reading thread. */
export interface ReadingAsked {
  text: string;
  given: ReportCircumstances;
}

/** Its answer: the runs, or the refusal as plain fields, as an error loses all but its message between threads. */
export type ReadingAnswer =
  | { runs: ReportedRun[] }
  | { refusal: { status: number; code: RefusalCode; message: string; errors: readonly FieldError[] } };

/** Reads reports: small ones directly, large ones outside the thread that answers requests. */
export interface ReportReader {
  /** Like `readReport`, but throws 413 for a report that takes too long to read. */
  read(text: string, given: ReportCircumstances): Promise<ReportedRun[]>;
}

/** Maximum length of a report that is read directly, which takes no longer than starting a thread. */
const SMALL_LENGTH_MAX = 64 * 1024;
/** A log of 8 MB with 100,000 lines takes about a second and 100 MB. */
const LIMITS = { memoryMb: 256, timeMs: 10_000, idleMs: 30_000 };

export function openReportReader(limits = LIMITS): ReportReader {
  const thread = new WorkThread<ReadingAsked, ReadingAnswer>(new URL('report-thread.ts', import.meta.url), limits);
  return {
    async read(text, given) {
      if (text.length <= SMALL_LENGTH_MAX) return readReport(text, given);
      const answer = await thread.run({ text, given }).catch((error) => {
        throw error instanceof WorkTooLarge ? tooLarge(error) : error;
      });
      if ('runs' in answer) return answer.runs;
      const { status, code, message, errors } = answer.refusal;
      throw new Refusal(status, code, message, { errors });
    },
  };
}

function tooLarge(cause: WorkTooLarge): Refusal {
  const message = 'The report takes too long to read. Send one report for each run, with fewer lines of its log.';
  return new Refusal(413, 'REPORT_TOO_LARGE', message, { cause });
}
