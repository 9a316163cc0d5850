/** Prints rows as a table. */
export function printTable(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${tableText(title, heads, rows)}\n`);
}

/** Rows as a table of fixed columns: texts to the left, figures to the right. */
export function tableText(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return [title, line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Milliseconds with one decimal, as a table shows them. */
export function ms(value: number): string {
  return value.toFixed(1);
}
