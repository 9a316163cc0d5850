/**
 * The query conventions: dotted keys for nested objects, repeated keys for lists, dates as quoted UTC strings.
 * Both directions are here so that browser and server cannot disagree.
 */
export type QueryValue = string | number | boolean | null | undefined | Date | readonly QueryValue[] | QueryObject;
export interface QueryObject {
  readonly [key: string]: QueryValue;
}

/** `{ filter: { companyIds: ['a', 'b'] } }` becomes `filter.companyIds=a&filter.companyIds=b`. `null` and `undefined` are omitted. */
export function encodeQuery(query: QueryObject): string {
  const pairs: string[] = [];
  collect(query, '', pairs);
  return pairs.join('&');
}

function collect(value: QueryValue, key: string, pairs: string[]): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, key, pairs);
  } else if (value instanceof Date) {
    pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(`"${value.toISOString()}"`)}`);
  } else if (typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) collect(inner, key === '' ? name : `${key}.${name}`, pairs);
  } else {
    pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  }
}

/** A decoded query: every leaf is the text given, or the texts where a key was repeated. */
export interface DecodedQuery {
  [key: string]: string | string[] | DecodedQuery;
}

/** Thrown for a query that has no meaning: `a=1&a.b=2`, or more than 2,000 pairs. */
export class MalformedQuery extends Error {}

const PAIRS_MAX = 2_000;
const DEPTH_MAX = 5;

/** Reads a query string (without the question mark). Keys never reach a prototype: objects are bare. */
export function decodeQuery(text: string): DecodedQuery {
  const root = emptyQuery();
  let pairs = 0;
  for (const [key, value] of new URLSearchParams(text)) {
    pairs += 1;
    if (pairs > PAIRS_MAX) throw new MalformedQuery(`The query has more than ${PAIRS_MAX} parts.`);
    put(root, key, value);
  }
  return root;
}

/** Without a prototype, so that a key named `__proto__` is a key. */
function emptyQuery(): DecodedQuery {
  return Object.create(null);
}

function put(root: DecodedQuery, key: string, value: string): void {
  const names = key.split('.');
  if (names.length > DEPTH_MAX) throw new MalformedQuery(`The query key "${key.slice(0, 80)}" is nested too deep.`);
  const last = names.pop() ?? '';
  let place = root;
  for (const name of names) {
    place[name] ??= emptyQuery();
    const inner = place[name];
    if (typeof inner === 'string' || Array.isArray(inner)) throw clash(key);
    place = inner;
  }
  const before = place[last];
  if (before === undefined) place[last] = value;
  else if (typeof before === 'string') place[last] = [before, value];
  else if (Array.isArray(before)) before.push(value);
  else throw clash(key);
}

function clash(key: string): MalformedQuery {
  return new MalformedQuery(`The query key "${key.slice(0, 80)}" is given both as a value and as a group.`);
}
