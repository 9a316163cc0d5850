import { expect, test } from 'vitest';
import { reportCsv } from './report-csv.ts';

test('writes a line for each item, and no text that a spreadsheet would take for a formula', () => {
  const item = {
    id: '1',
    kind: 'message',
    name: '=HYPERLINK("x")',
    path: 'Inbox, old',
    outcome: 'failed' as const,
    reason: 'full',
  };
  expect(reportCsv([item])).toBe(
    '"Outcome","Kind","Name","Path","Reason"\r\n"Failed","message","\'=HYPERLINK(""x"")","Inbox, old","full"\r\n',
  );
});
