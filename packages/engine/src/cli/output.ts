import type { WriteStream } from 'node:tty';

/** How far something is. `total` is `null` while nobody knows. */
export interface Progress {
  /** In the user's words: `Reading Ada Lovelace`. */
  what: string;
  done: number;
  total: number | null;
  unit: 'bytes' | 'items' | 'objects' | 'packs' | 'commits';
  /** Bytes read or written so far, for the rate. */
  bytes?: number;
}

/** Where a command tells what it does: to a person at a terminal, or as JSON lines to a program. */
export interface Output {
  progress(progress: Progress): void;
  /** The result: a table for a person, one line of JSON for each row otherwise. */
  rows(rows: readonly Readonly<Record<string, unknown>>[]): void;
  /** A sentence, and the same as data. */
  say(text: string, data: Readonly<Record<string, unknown>>): void;
  problem(text: string, data: Readonly<Record<string, unknown>>): void;
}

/** One JSON object a line on `out`; `type` tells what it is. */
export class JsonOutput implements Output {
  private readonly out: NodeJS.WritableStream;

  constructor(out: NodeJS.WritableStream) {
    this.out = out;
  }

  progress(progress: Progress): void {
    this.write({ type: 'progress', ...progress });
  }

  rows(rows: readonly Readonly<Record<string, unknown>>[]): void {
    for (const row of rows) this.write({ type: 'row', ...row });
  }

  say(text: string, data: Readonly<Record<string, unknown>>): void {
    this.write({ type: 'result', message: text, ...data });
  }

  problem(text: string, data: Readonly<Record<string, unknown>>): void {
    this.write({ type: 'problem', message: text, ...data });
  }

  private write(value: object): void {
    this.out.write(`${JSON.stringify(value)}\n`);
  }
}

const REDRAW_MS = 100;

/** Text on `out`; progress as one line that is redrawn on `terminal`, if there is one. */
export class TextOutput implements Output {
  private readonly out: NodeJS.WritableStream;
  private readonly terminal: WriteStream | null;
  private readonly now: () => number;
  private startedMs: number | null = null;
  private drawnMs = 0;
  private hasLine = false;

  constructor(out: NodeJS.WritableStream, terminal: WriteStream | null, now: () => number = () => performance.now()) {
    this.out = out;
    this.terminal = terminal;
    this.now = now;
  }

  progress(progress: Progress): void {
    if (this.terminal === null) return;
    const now = this.now();
    this.startedMs ??= now;
    if (now - this.drawnMs < REDRAW_MS) return;
    this.drawnMs = now;
    const line = progressLine(progress, now - this.startedMs, this.terminal.columns);
    this.terminal.write(`\r\x1b[K${line}`);
    this.hasLine = true;
  }

  rows(rows: readonly Readonly<Record<string, unknown>>[]): void {
    this.clearLine();
    this.out.write(tableText(rows));
  }

  say(text: string): void {
    this.clearLine();
    this.out.write(`${text}\n`);
  }

  problem(text: string): void {
    this.clearLine();
    (this.terminal ?? this.out).write(`${text}\n`);
  }

  private clearLine(): void {
    if (this.hasLine) this.terminal?.write('\r\x1b[K');
    this.hasLine = false;
    this.startedMs = null;
  }
}

const BAR_CHARACTERS = 24;

/** `Reading Ada ████░░░░ 42 %  12.3 MB/s  about 3 min`, cut to the terminal's width. */
export function progressLine({ what, done, total, unit, bytes }: Progress, elapsedMs: number, columns: number): string {
  const share = total === null || total === 0 ? null : Math.min(1, done / total);
  const filled = Math.round((share ?? 0) * BAR_CHARACTERS);
  const bar =
    share === null ? '' : `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARACTERS - filled)} ${Math.floor(share * 100)} %`;
  const count = unit === 'bytes' ? byteText(done) : `${done.toLocaleString('en')} ${unit}`;
  const moved = bytes ?? (unit === 'bytes' ? done : undefined);
  const rate = moved === undefined || elapsedMs < 1_000 ? '' : `${byteText((moved / elapsedMs) * 1_000)}/s`;
  const left =
    share === null || share === 0 || elapsedMs < 3_000 ? '' : `about ${timeText((elapsedMs / share) * (1 - share))}`;
  return [what, bar, count, rate, left]
    .filter((part) => part !== '')
    .join('  ')
    .slice(0, Math.max(20, columns - 1));
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units, three digits: `999 B`, `1.23 MB`. */
export function byteText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[step]}`;
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

/** Columns as wide as their widest value; numbers to the right. */
export function tableText(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const isNumber = columns.map((column) => rows.every((row) => typeof row[column] === 'number' || row[column] == null));
  const lineOf = (line: readonly string[]) =>
    line
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [columns, ...cells].map((line) => `${lineOf(line)}\n`).join('');
}

function cellText(value: unknown): string {
  if (value == null) return '';
  if (value instanceof Date) return value.toISOString().replace('T', ' ').slice(0, 19);
  // A name may hold anything; what moves a terminal's cursor is not shown.
  return String(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}');
}
