import { OUTCOME_WORDS } from './operation-words.ts';
import type { OperationItem } from './operations.data.ts';

const HEADING = ['Outcome', 'Kind', 'Name', 'Path', 'Reason'];

/** The lines of a report as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function reportCsv(items: readonly OperationItem[]): string {
  const rows = items.map(({ outcome, kind, name, path, reason }) => [OUTCOME_WORDS[outcome], kind, name, path, reason]);
  return [HEADING, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
