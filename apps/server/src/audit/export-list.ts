import type { SQL } from 'drizzle-orm';
import type { ChangingContext } from '../foundation/http/context.ts';
import { type CsvColumn, csvFileName, exportCsv } from '../foundation/http/replies/csv-export.ts';
import { record } from './audit.ts';

interface ListExport<Row> {
  /** Of the file, before its timestamp: `DailyChecks`. */
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
    name: csvFileName(name, actor.backupClock.timeZone, now()),
    stream: await exportCsv(database, actor, { query, columns }),
  };
}
