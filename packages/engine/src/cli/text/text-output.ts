import type { WriteStream } from 'node:tty';
import { durationText } from '../../model/duration-text.ts';
import type { Progress } from '../../model/progress.ts';
import type { Output } from '../output.ts';
import { progressLine } from './progress-line.ts';
import { type Row, type TableRoom, tableText } from './table.ts';
import { harmless } from './terminal-text.ts';

const REDRAW_MS = 100;
/** Of a terminal that does not say how wide it is. */
export const COLUMNS = 80;

export interface TextStreams {
  out: NodeJS.WritableStream;
  problems: NodeJS.WritableStream;
  /** Where a line of progress can be redrawn; `null` without one. */
  terminal: Pick<WriteStream, 'write' | 'columns'> | null;
}

/** Results on `out`, problems on `problems`, and progress as one line that is redrawn at a terminal. */
export class TextOutput implements Output {
  readonly takesAll = false;
  private readonly streams: TextStreams;
  private readonly room: TableRoom;
  private readonly now: () => number;
  private startedMs = 0;
  private unit: Progress['unit'] | null = null;
  private drawnMs = Number.NEGATIVE_INFINITY;
  private hasLine = false;
  private hasSaid = false;

  constructor(streams: TextStreams, room: TableRoom, now: () => number = () => performance.now()) {
    this.streams = streams;
    this.room = room;
    this.now = now;
  }

  progress(progress: Progress): void {
    const { terminal } = this.streams;
    if (terminal === null) return;
    const now = this.now();
    // Another unit is another piece of work: its rate is its own.
    if (this.unit !== progress.unit) [this.unit, this.startedMs] = [progress.unit, now];
    if (now - this.drawnMs < REDRAW_MS) return;
    this.drawnMs = now;
    terminal.write(`\r\x1b[K${progressLine(progress, now - this.startedMs, terminal.columns || COLUMNS)}`);
    this.hasLine = true;
  }

  rows(rows: readonly Row[], empty = 'There is nothing to list.'): void {
    this.clearLine();
    this.streams.out.write(rows.length === 0 ? `${harmless(empty)}\n` : tableText(rows, this.room));
  }

  say(text: string): void {
    this.clearLine();
    this.hasSaid = true;
    this.streams.out.write(linesOf(text));
  }

  problem(text: string): void {
    this.clearLine();
    this.streams.problems.write(linesOf(text));
  }

  /** Beside the results, for people and the logs of those who are not there. */
  wait(text: string): void {
    this.problem(text);
  }

  /** How long it took, behind a result that is a sentence; a table stays a table. */
  end(_exitCode: number, seconds: number): void {
    this.clearLine();
    if (this.hasSaid) this.streams.out.write(`Took ${durationText(seconds * 1_000)}.\n`);
  }

  private clearLine(): void {
    if (this.hasLine) this.streams.terminal?.write('\r\x1b[K');
    this.hasLine = false;
    this.drawnMs = Number.NEGATIVE_INFINITY;
  }
}

function linesOf(text: string): string {
  return `${text.split('\n').map(harmless).join('\n')}\n`;
}
