/** Prints rows as a table. */
export function printTable(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${tableText(title, heads, rows)}\n`);
}

/**
 * Begins a table whose rows are printed as they become known.
 * @param widths of the columns: a row that comes later cannot widen them
 */
export function beginTable(
  title: string,
  heads: readonly string[],
  widths: readonly number[],
): (row: readonly string[]) => void {
  const print = (cells: readonly string[]) => process.stdout.write(`${lineOf(cells, widths)}\n`);
  process.stdout.write(`\n${title}\n`);
  print(heads);
  print(widths.map((width) => '-'.repeat(width)));
  return print;
}

/** Rows as a table of fixed columns: texts to the left, figures to the right. */
export function tableText(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => lineOf(cells, widths);
  return [title, line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
}

/** Milliseconds with one decimal, as a table shows them. */
export function ms(value: number): string {
  return value.toFixed(1);
}
