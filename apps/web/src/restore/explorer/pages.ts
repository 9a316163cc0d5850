import type { EntryPage, Range } from './application.ts';
import type { Entry } from './entry.ts';

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
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
  return limit > 0 && offset > 0 ? { limit, offset } : null;
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
  return entries.length === 1 ? first.name : `${first.name} and ${entries.length - 1} more`;
}

/** The ids of entries below their object, as the calls ask for them. */
export function chosenIn(entries: readonly Entry[]): { id: string }[] {
  return entries.flatMap(({ itemId }) => (itemId === null ? [] : [{ id: itemId }]));
}
