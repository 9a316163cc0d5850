import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';
import { actionText, type StoredLog } from './user-logs.ts';

/** What the file has of an entry. */
export const USER_LOG_CSV: readonly CsvColumn<StoredLog>[] = [
  { key: 'at', header: 'Time (UTC)' },
  { key: 'username', header: 'User' },
  { key: 'asUsername', header: 'As user' },
  { key: 'apiKey', header: 'API key' },
  { text: actionText, header: 'Action' },
  { key: 'targetKind', header: 'Kind' },
  { key: 'targetName', header: 'Name' },
  { key: 'targetId', header: 'Id' },
  { key: 'address', header: 'Address' },
  { text: ({ before }) => jsonText(before), header: 'Before' },
  { text: ({ after }) => jsonText(after), header: 'After' },
];

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
