import { formatDateTime } from '../kit/format/dates.ts';
import { capital } from '../kit/format/words.ts';

/** One field of an entry of the log: what it was, and what was given for it. `null`: not said. */
export interface ChangedField {
  name: string;
  before: string | null;
  after: string | null;
}

/** So many different values of one field are written out. */
const VALUES_MAX = 5;

/** The fields that an entry speaks of, without those that stayed as they were. */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const [old, given] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...given.keys()])]
    .map((path) => ({ path, was: wordsOf(old.get(path)), is: wordsOf(given.get(path)) }))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is))
    .map(({ path, was, is }) => ({ name: nameOf(path), before: textOf(was, is), after: textOf(is, was) }));
}

/** The values at every path of a record. The records of a list share their paths: of many things that were changed each field is one row. */
function valuesOf(value: unknown, path = '', found = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (Array.isArray(value)) for (const item of value) valuesOf(item, path, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      // What is internal has names that begin so: ids, which say nothing to people.
      if (!key.startsWith('_')) valuesOf(inner, path === '' ? key : `${path}.${key}`, found);
    }
  else if (value !== undefined && (value !== null || path !== '')) found.set(path, [...(found.get(path) ?? []), value]);
  return found;
}

/** Each different value once. */
function wordsOf(values: readonly unknown[] = []): string[] {
  return [...new Set(values.map(wordOf))];
}

/** Of many values those that changed are first, so that they are not among those that are only counted. */
function textOf(words: readonly string[], others: readonly string[]): string | null {
  if (words.length === 0) return null;
  const more = words.length - VALUES_MAX;
  if (more <= 0) return words.join(', ');
  return `${changedFirst(words, others).slice(0, VALUES_MAX).join(', ')} and ${more} more`;
}

/** What the other side does not have, then what has another place there, then the rest. */
function changedFirst(words: readonly string[], others: readonly string[]): string[] {
  const places = new Map(others.map((word, place) => [word, place]));
  return [
    ...words.filter((word) => !places.has(word)),
    ...words.filter((word, place) => places.has(word) && places.get(word) !== place),
    ...words.filter((word, place) => places.get(word) === place),
  ];
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === '') return 'none';
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatDateTime(text) : text;
}

/** `settings.baseUrl` becomes `Settings: base url`. */
function nameOf(path: string): string {
  if (path === '') return 'Value';
  const words = path.split('.').map((part) => part.replaceAll(/[-_]|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());
  return capital(words.join(': '));
}
