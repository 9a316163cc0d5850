import { parentPort } from 'node:worker_threads';
import { Refusal } from '../foundation/errors.ts';
import { readReport } from './read-report.ts';
import type { ReadingAnswer, ReadingAsked } from './report-reader.ts';

/** The thread that reads large reports (report-reader.ts). An internal error ends it. */
parentPort?.on('message', (asked: ReadingAsked) => parentPort?.postMessage(answerTo(asked)));

function answerTo({ text, given }: ReadingAsked): ReadingAnswer {
  try {
    return { runs: readReport(text, given) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, errors } = error;
    return { refusal: { status, code, message, errors } };
  }
}
