import { formatDateTime } from '../../kit/format/dates.ts';
import type { EntryPage, Range } from './application.ts';
import { type Entry, lackOf } from './entry.ts';
import { ENTRY_WORDS } from './entry-words.ts';

interface Linked<T> {
  data: { results: readonly T[] };
  _links: { next?: { href: string } | undefined };
}

/** Reads a page of a list, with where its link leads next. */
export function pageOf<T>({ data, _links }: Linked<T>, entryOf: (row: T) => Entry): EntryPage {
  return { entries: data.results.map(entryOf), next: rangeOf(_links.next?.href) };
}

/** The range that a link asks for. */
export function rangeOf(href: string | undefined): Range | null {
  if (href === undefined) return null;
  const query = new URLSearchParams(href.slice(href.indexOf('?') + 1));
  const [limit, offset, after] = [Number(query.get('limit')), Number(query.get('offset')), query.get('after')];
  if (!(limit > 0 && offset > 0)) return null;
  return after === null ? { limit, offset } : { limit, offset, after };
}

/** A list that is known without asking. */
export function fixedPage(entries: Entry[]): EntryPage {
  return { entries, next: null };
}

/** Entries grouped by what they have in common, in the order in which they were chosen. */
export function groupsOf(entries: readonly Entry[], commonOf: (entry: Entry) => string): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const common = commonOf(entry);
    const group = groups.get(common);
    if (group === undefined) groups.set(common, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}

/** `Inbox`, `Inbox and 3 more`. */
export function namesOf(entries: readonly Entry[]): string {
  const [first] = entries;
  if (first === undefined) return '';
  const name = nameOf(first);
  return entries.length === 1 ? name : `${name} and ${entries.length - 1} more`;
}

/** A message without a subject or text is known by its sender and date: `message of B. Marsh, 11/18/26 02:14 AM`. */
function nameOf(entry: Entry): string {
  const { type, name, from, date } = entry;
  const lack = lackOf(entry);
  if (lack === null) return name;
  const known = [from, date === null ? null : formatDateTime(date)].filter((fact) => fact !== null && fact !== '');
  return known.length === 0
    ? `${ENTRY_WORDS[type][0]} without ${lack}`
    : `${ENTRY_WORDS[type][0]} of ${known.join(', ')}`;
}

/** The ids of entries below their object, as the calls ask for them. */
export function chosenIn(entries: readonly Entry[]): { id: string }[] {
  return entries.flatMap(({ itemId }) => (itemId === null ? [] : [{ id: itemId }]));
}
