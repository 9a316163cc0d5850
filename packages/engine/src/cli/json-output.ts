import type { Progress } from '../model/progress.ts';
import type { Output } from './output.ts';
import type { Row } from './text/table.ts';

/** One JSON object a line; `type` says what it is: `progress`, `wait`, `row`, `result`, `problem`, and last of all `end`. */
export class JsonOutput implements Output {
  readonly takesAll = true;
  private readonly out: NodeJS.WritableStream;

  constructor(out: NodeJS.WritableStream) {
    this.out = out;
  }

  progress(progress: Progress): void {
    this.write('progress', { ...progress });
  }

  rows(rows: readonly Row[]): void {
    for (const row of rows) this.write('row', row);
  }

  say(message: string, data: Row): void {
    this.write('result', { message, ...data });
  }

  problem(message: string, data: Row): void {
    this.write('problem', { message, ...data });
  }

  wait(message: string, data: Row): void {
    this.write('wait', { message, ...data });
  }

  /** Who does not find it was cut off. */
  end(exitCode: number, seconds: number): void {
    this.write('end', { exitCode, seconds: Math.round(seconds * 1_000) / 1_000 });
  }

  private write(type: string, data: Row): void {
    this.out.write(`${JSON.stringify({ type, ...data })}\n`);
  }
}
