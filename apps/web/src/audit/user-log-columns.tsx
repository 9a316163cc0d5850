import type { listUserLogs, UserLog } from '@keepwatch/contract/audit/user-logs';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import { capital } from '../kit/format/words.ts';

/** Who did what, and when. Narrow tables show no more than that. */
export const USER_LOG_COLUMNS: readonly Column<UserLog, SortOf<typeof listUserLogs>>[] = [
  { key: 'at', title: 'When', width: 'minmax(136px, 160px)', sort: 'at', cell: ({ at }) => formatDateTime(at) },
  {
    key: 'username',
    title: 'User',
    width: 'minmax(90px, 1fr)',
    sort: 'username',
    cell: (entry) => <span title={doerText(entry)}>{doerText(entry)}</span>,
  },
  {
    key: 'action',
    title: 'Action',
    width: 'minmax(110px, 1.5fr)',
    sort: 'action',
    cell: ({ actionText }) => <span title={actionText}>{actionText}</span>,
  },
  {
    key: 'target',
    title: 'Target',
    width: 'minmax(120px, 2fr)',
    minTableWidthPx: 560,
    cell: (entry) => <span title={targetText(entry)}>{targetText(entry)}</span>,
  },
  {
    key: 'address',
    title: 'Address',
    width: 'minmax(120px, 0.8fr)',
    minTableWidthPx: 740,
    cell: ({ address }) => address ?? '–',
  },
];

/** Who did it: `ada`, `ada as bob`, `ada (API key Reports)`. */
export function doerText({ username, asUsername, apiKey }: UserLog): string {
  if (asUsername !== null) return `${username} as ${asUsername}`;
  return apiKey === null ? (username ?? '–') : `${username} (API key ${apiKey})`;
}

/** Its name; where that is not known, what it is. */
export function targetText({ targetKind, targetName }: UserLog): string {
  if (targetKind === null) return '–';
  return targetName ?? kindText(targetKind);
}

/** `intake-token` becomes `Intake token`. */
export function kindText(kind: string): string {
  return capital(kind.replaceAll('-', ' '));
}
