/** A report as a table: the header's names, then rows of texts, numbers and truths. */
export type ReportRow = readonly (string | number | boolean)[];

/** CSV as the vendor writes it: a byte order mark, lines that end with a line feed, quotes where they are needed. */
export function toCsv(header: readonly string[], rows: readonly ReportRow[]): Buffer {
  const lines = [header, ...rows].map((row) => row.map(cell).join(','));
  return Buffer.from(`\ufeff${lines.join('\n')}\n`);
}

function cell(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
