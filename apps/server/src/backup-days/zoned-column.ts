import { zonedText } from '@keepwatch/contract/backup-days/zoned-text';
import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';

/** A column of a CSV file with a time as the clocks of a time zone show it; its header names the zone. */
export function zonedColumn<Row>(timeZone: string, header: string, of: (row: Row) => string | null): CsvColumn<Row> {
  return {
    header: `${header} (${timeZone})`,
    text: (row) => {
      const instant = of(row);
      return instant === null ? null : zonedText(timeZone, instant);
    },
  };
}
