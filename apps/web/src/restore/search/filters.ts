import type { FOUND_TYPES, searchRestoreSession } from '@keepwatch/contract/restore/items';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { browserClock } from '../../kit/backup-clock.ts';
import { dateRangeOf } from '../../kit/date-range/date-range.ts';
import type { ExplorerAddress } from '../explorer/address.ts';

export type FoundType = (typeof FOUND_TYPES)[number];
type Query = NonNullable<CallRequest<typeof searchRestoreSession>['query']>;

/** What can be found in each explorer. */
export const TYPES: Readonly<Record<SessionType, readonly { value: FoundType; label: string }[]>> = {
  vex: [
    { value: 'message', label: 'Messages' },
    { value: 'event', label: 'Events' },
    { value: 'contact', label: 'Contacts' },
    { value: 'task', label: 'Tasks' },
  ],
  veod: [],
  vesp: [
    { value: 'file', label: 'Documents' },
    { value: 'list-item', label: 'List items' },
    { value: 'page', label: 'Pages' },
    { value: 'list', label: 'Lists' },
  ],
  vet: [
    { value: 'post', label: 'Posts' },
    { value: 'reply', label: 'Replies' },
    { value: 'file', label: 'Files' },
    { value: 'tab', label: 'Tabs' },
    { value: 'chat-message', label: 'Chat messages' },
  ],
};

const KB = 1024;
const MB = KB * KB;

export const SIZES = [
  { value: '', label: 'Any size' },
  { value: 'small', label: 'Under 100 KB' },
  { value: 'large', label: 'Over 1 MB' },
  { value: 'larger', label: 'Over 10 MB' },
  { value: 'huge', label: 'Over 100 MB' },
] as const;

const BYTES: Readonly<Record<string, Query>> = {
  small: { sizeTo: 100 * KB },
  large: { sizeFrom: MB },
  larger: { sizeFrom: 10 * MB },
  huge: { sizeFrom: 100 * MB },
};

/** The filters of a search as an address says them. */
export type SearchFilters = Pick<
  ExplorerAddress,
  'types' | 'when' | 'sender' | 'recipient' | 'size' | 'attached' | 'gone'
>;

/** No filter is set. */
export const NO_FILTERS: SearchFilters = {
  types: [],
  when: '',
  sender: '',
  recipient: '',
  size: '',
  attached: false,
  gone: false,
};

export function hasFilters(filters: SearchFilters): boolean {
  const { types, when, sender, recipient, size, attached, gone } = filters;
  return types.length > 0 || [when, sender, recipient, size].some((text) => text !== '') || attached || gone;
}

/** What the server is asked for. A range of days is that of the browser's zone. */
export function queryOf(filters: SearchFilters, sessionType: SessionType, now: Date): Query {
  const { types, when, sender, recipient, size, attached, gone } = filters;
  const range = dateRangeOf(when, now, browserClock());
  const kinds = TYPES[sessionType].flatMap(({ value }) => (types.includes(value) ? [value] : []));
  return {
    ...(kinds.length === 0 ? {} : { types: kinds }),
    ...(range === null ? {} : { dateFrom: range.from, dateTo: range.to }),
    ...(sender === '' ? {} : { from: sender }),
    ...(recipient === '' ? {} : { to: recipient }),
    ...(attached ? { hasAttachments: true } : {}),
    ...(gone ? { deletedOnly: true } : {}),
    ...BYTES[size],
  };
}
