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

/** Records that a list is exported, and streams all rows of its query as a CSV file. */
export async function exportList<Row extends object>(
  context: ChangingContext,
  { name, query, columns, filter }: ListExport<Row>,
) {
  const { database, actor, now } = context;
  await record(database, context, { action: context.audit, after: filter });
  return {
    name: `${name}-${zonedFileText(actor.backupClock.timeZone, now())}.csv`,
    stream: await exportCsv(database, actor, { query, columns }),
  };
}
