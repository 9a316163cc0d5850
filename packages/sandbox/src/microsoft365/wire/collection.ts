import type { GraphCall, GraphReply } from './graph-call.ts';
import { type JsonObject, valueAt } from './json.ts';
import { readFilter, readOrder } from './odata-filter.ts';
import { badRequest } from './refusals.ts';
import { contextOf, type Representation, shape } from './representation.ts';

/** Entities in their order, of which only the asked ones are made. An array is one. */
export interface Listing {
  readonly length: number;
  slice(start: number, end: number): readonly JsonObject[];
}

export interface CollectionOptions extends Representation {
  /** Entities a page without `$top`; default 100. */
  pageSize?: number;
  /** Most entities a page; default 999. */
  maximum?: number;
  /** Whether `@odata.nextLink` carries `$skip`, as for mail, or an opaque `$skiptoken`, as elsewhere (default). */
  paging?: 'skip' | 'skiptoken';
}

/**
 * A page of a collection under `$filter`, `$search`, `$orderby`, `$count`, `$skip`, `$top`, `$select`, `$expand` and
 * `Prefer: odata.maxpagesize`.
 * @throws GraphError 400 for what cannot be read
 */
export function collectionReply(call: GraphCall, entities: Listing, options: CollectionOptions): GraphReply {
  const rows = arrange(call, entities);
  const first = startOf(call);
  const size = pageSizeOf(call, options);
  const top = wholeNumber(call, '$top');
  const page = rows.slice(first, first + size).map(shape(call, options));
  const end = first + page.length;
  const body: Record<string, unknown> = { '@odata.context': contextOf(call, options) };
  if (call.query.get('$count') === 'true') body['@odata.count'] = rows.length;
  if (end < rows.length && page.length > 0) body['@odata.nextLink'] = nextLink(call, end, top ?? size, options);
  body['value'] = page;
  return { status: 200, body };
}

/** A link to this very call with some parameters replaced; names keep their `$`, as the vendor writes them. */
export function linkTo(call: GraphCall, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new Map<string, string>(call.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = [...query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${call.baseUrl}${call.path}${text && `?${text}`}`;
}

/** The page's size: `$top`, else the caller's preference, else the usual, never more than the most. */
export function pageSizeOf(call: GraphCall, { pageSize = 100, maximum = 999 }: CollectionOptions): number {
  const asked = wholeNumber(call, '$top') ?? preferredPageSize(call);
  if (asked === 0) throw badRequest("Invalid value for query option '$top'.");
  return Math.min(asked ?? pageSize, maximum);
}

function preferredPageSize(call: GraphCall): number | undefined {
  const size = /odata\.maxpagesize\s*=\s*(\d+)/i.exec(call.headers['prefer'] ?? '')?.[1];
  return size === undefined ? undefined : Number(size);
}

function arrange(call: GraphCall, entities: Listing): Listing {
  const [filter, search, orderBy] = ['$filter', '$search', '$orderby'].map((name) => call.query.get(name));
  if (!filter && !search && !orderBy) return entities;
  let rows = [...entities.slice(0, entities.length)];
  if (filter) rows = rows.filter(readFilter(filter));
  if (search) rows = rows.filter(readSearch(search));
  return orderBy ? rows.toSorted(readOrder(orderBy)) : rows;
}

/** Clauses in quotes, one of which must be met: `"displayName:word" OR "mail:word"`. */
function readSearch(search: string): (entity: JsonObject) => boolean {
  const clauses = search.split(/(?<=") OR (?=")/).map(readClause);
  return (entity) => clauses.some((meets) => meets(entity));
}

/** `"displayName:word"` or `"word"`, in the sense that a text contains the word. */
function readClause(search: string): (entity: JsonObject) => boolean {
  const [, name, word = ''] = /^"?(?:(\w+):)?(.*?)"?$/s.exec(search) ?? [];
  const sought = word.toLowerCase();
  const has = (value: unknown) => typeof value === 'string' && value.toLowerCase().includes(sought);
  return (entity) => (name ? has(valueAt(entity, name)) : Object.values(entity).some(has));
}

function startOf(call: GraphCall): number {
  const token = call.query.get('$skiptoken');
  if (token === null) return wholeNumber(call, '$skip') ?? 0;
  const start = Number(Buffer.from(token, 'base64url').toString().replace(/^at:/, ''));
  if (!Number.isInteger(start)) throw badRequest('The skip token is invalid.', 'Request_BadRequest');
  return start;
}

function nextLink(call: GraphCall, end: number, size: number, { paging }: CollectionOptions): string {
  if (paging === 'skip') return linkTo(call, { $top: String(size), $skip: String(end) });
  return linkTo(call, { $skiptoken: Buffer.from(`at:${end}`).toString('base64url'), $skip: undefined });
}

function wholeNumber(call: GraphCall, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw badRequest(`Invalid value '${text}' for query option '${name}'.`);
  return Number(text);
}
