import { zonedFileText } from '@keepwatch/contract/backup-days/zoned-text';
import type { SQL } from 'drizzle-orm';
import type { ChangingContext } from '../foundation/http/context.ts';
import { type CsvColumn, exportCsv } from '../foundation/http/replies/csv-export.ts';
import { record } from './audit.ts';

interface ListExport<Row> {
  /** Of the file, before its timestamp: `DailyChecks` for `DailyChecks-2026-01-31T14-05-09+0100.csv`. */
  name: string;
  query: SQL;
  columns: readonly CsvColumn<Row>[];
  /** For the audit log: which rows were asked for. */
  filter: object;
}

/** Streams all rows of a query as a CSV file, and records that its list is exported: not where that is refused. */
export async function exportList<Row extends object>(
  context: ChangingContext,
  { name, query, columns, filter }: ListExport<Row>,
) {
  const { database, actor, now } = context;
  const stream = await exportCsv(database, actor, { query, columns });
  try {
    await record(database, context, { action: context.audit, after: filter });
  } catch (error) {
    // What fails while it is closed has the same cause; without a listener it would end the process.
    stream.on('error', () => {}).destroy();
    throw error;
  }
  return { name: `${name}-${zonedFileText(actor.backupClock.timeZone, now())}.csv`, stream };
}
