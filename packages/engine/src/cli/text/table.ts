import { byteText } from './byte-text.ts';
import { instantText } from './instant.ts';
import { cut, harmless, padEnd, padStart, widthOf } from './terminal-text.ts';

/** Values by column. Dates are shown on the reader's clock, a column `bytes` as a size, and ids (`id`, `key`) are never cut. */
export type Row = Readonly<Record<string, unknown>>;

export interface TableRoom {
  /** Columns of the terminal; without one nothing is cut. */
  columns: number | null;
  /** Ids are given whole, each on a line of its own below its row, where they can be copied even if they are long. */
  showsIds: boolean;
}

const GAP = '  ';
/** A column is not made narrower than this: what is left would say nothing. */
const NARROWEST = 8;
const IDS = ['id', 'key'];

/** Columns as wide as their widest value, numbers to the right. Where that does not fit, long ids go first, then long texts are cut with `…`. */
export function tableText(rows: readonly Row[], room: TableRoom): string {
  const [first] = rows;
  if (first === undefined) return '';
  const all = Object.keys(first).map((name) => columnOf(name, rows));
  const filled = all.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const ids = filled.filter(({ name }) => IDS.includes(name));
  const others = filled.filter((column) => !ids.includes(column));
  const showsBelow = room.showsIds && room.columns !== null;
  const isRoomForIds = !showsBelow && (room.columns === null || widthOfAll(filled) <= room.columns);
  const columns = fitted(isRoomForIds || isShort(ids) ? filled : others, room.columns);
  const below = showsBelow ? ids : [];
  const lines = rows.map((_, at) => lineOf(columns, at) + below.map(({ cells }) => `\n  ${cells[at]}`).join(''));
  return [headOf(columns), ...lines].map((line) => `${line}\n`).join('');
}

interface Column {
  name: string;
  title: string;
  isRight: boolean;
  /** Half an instant says nothing. */
  isRigid: boolean;
  cells: readonly string[];
  width: number;
}

function columnOf(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => cellText(name, row[name]));
  const title = name === 'bytes' ? 'size' : name;
  const isRight = rows.every((row) => typeof row[name] === 'number' || row[name] == null);
  const isRigid = isRight || IDS.includes(name) || rows.every((row) => row[name] == null || row[name] instanceof Date);
  return {
    name,
    title,
    isRight,
    isRigid,
    cells,
    width: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(title)),
  };
}

function cellText(name: string, value: unknown): string {
  if (value == null) return '';
  if (value instanceof Date) return instantText(value);
  if (name === 'bytes' && typeof value === 'number') return byteText(value);
  if (typeof value === 'number') return value.toLocaleString('en');
  return harmless(String(value));
}

/** Such as the 22 characters of an object's key or the 36 of a run: what a person is to see and to copy. */
function isShort(ids: readonly Column[]): boolean {
  return ids.every(({ width }) => width <= 36);
}

function widthOfAll(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));
}

/** Takes from the widest texts until all fits. */
function fitted(columns: readonly Column[], room: number | null): Column[] {
  const fit = columns.map((column) => ({ ...column }));
  if (room === null) return fit;
  for (;;) {
    const excess = widthOfAll(fit) - room;
    const giving = fit.filter(({ isRigid, width }) => !isRigid && width > NARROWEST);
    const [widest, next] = giving.sort((one, other) => other.width - one.width);
    if (excess <= 0 || widest === undefined) return fit;
    const least = Math.max(NARROWEST, Math.min(next?.width ?? NARROWEST, widest.width - 1));
    widest.width = Math.max(least, widest.width - excess);
  }
}

function headOf(columns: readonly Column[]): string {
  return joined(columns.map(({ title, width, isRight }) => place(cut(title, width), width, isRight)));
}

function lineOf(columns: readonly Column[], at: number): string {
  return joined(columns.map(({ cells, width, isRight }) => place(cut(cells[at] ?? '', width), width, isRight)));
}

function place(text: string, width: number, isRight: boolean): string {
  return isRight ? padStart(text, width) : padEnd(text, width);
}

function joined(cells: readonly string[]): string {
  return cells.join(GAP).trimEnd();
}
