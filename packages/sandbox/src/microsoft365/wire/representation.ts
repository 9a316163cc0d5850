import type { GraphCall, GraphReply } from './graph-call.ts';
import { GraphError } from './graph-error.ts';
import type { JsonObject } from './json.ts';
import { badRequest } from './refusals.ts';

/** How entities of one type leave. */
export interface Representation {
  /** What follows `$metadata#` in `@odata.context`, such as `users`. */
  context: string;
  /** Properties that leave when nothing is selected; without it all of them do. */
  defaults?: readonly string[];
  /** Properties that are returned whatever is selected; by default `id` alone. */
  always?: readonly string[];
  /** What `$expand` can add, by name in lower case (`undefined` adds nothing); the options are the text in parentheses behind the name. */
  expand?: Readonly<Record<string, (entity: JsonObject, options: string) => unknown>>;
}

/** One entity, with what was selected and expanded. */
export function entityReply(call: GraphCall, entity: JsonObject, how: Representation, status = 200): GraphReply {
  const body = { '@odata.context': contextOf(call, how), ...shape(call, how)(entity) };
  const headers: Record<string, string> = {};
  if (status === 201) headers['location'] = `${call.baseUrl}${call.path}/${String(entity.id)}`;
  if (typeof entity['@odata.etag'] === 'string') headers['etag'] = entity['@odata.etag'];
  return { status, headers, body };
}

export function contextOf(call: GraphCall, how: Representation): string {
  const select = call.query.get('$select');
  return `${call.baseUrl}/$metadata#${how.context}${select ? `(${select})` : ''}`;
}

/**
 * Makes the representation of an entity: `$select` selects properties (annotations stay), `$expand` adds relations.
 * @throws GraphError 400 for a relation that cannot be expanded
 */
export function shape(call: GraphCall, how: Representation): (entity: JsonObject) => JsonObject {
  const selected = selectedProperties(call, how);
  const relations = splitList(call.query.get('$expand') ?? '').map((part) => {
    const [, name = '', options = ''] = /^([\w./]+)(?:\((.*)\))?$/s.exec(part) ?? [];
    const make = how.expand?.[name.toLowerCase()];
    if (!make) throw badRequest(`Parsing OData Select and Expand failed: Could not find a property named '${part}'.`);
    return { name: name.split('/').at(-1) ?? name, options, make };
  });
  if (!selected && relations.length === 0) return (entity) => entity;
  return (entity) => {
    const result: Record<string, unknown> = {};
    for (const name in entity)
      if (!selected || selected.has(name) || name.startsWith('@odata')) result[name] = entity[name];
    for (const { name, options, make } of relations) {
      const value = make(entity, options);
      if (value !== undefined) result[name] = value;
    }
    return result;
  };
}

function selectedProperties(call: GraphCall, how: Representation): ReadonlySet<string> | undefined {
  const select = call.query.get('$select');
  if (!select) return how.defaults && new Set([...how.defaults, '@removed']);
  const names = select.split(',').map((name) => name.trim().split('/')[0] ?? '');
  if (names.includes('*')) return undefined;
  return new Set([...names, ...(how.always ?? ['id']), '@removed']);
}

/** Splits at the commas (or semicolons) that are outside parentheses and quotes. */
export function splitList(text: string, separator = ','): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let part = '';
  for (const sign of text) {
    if (sign === "'") isQuoted = !isQuoted;
    else if (!isQuoted && sign === '(') depth += 1;
    else if (!isQuoted && sign === ')') depth -= 1;
    if (sign === separator && depth === 0 && !isQuoted) {
      parts.push(part.trim());
      part = '';
    } else part += sign;
  }
  return [...parts, part.trim()].filter((entry) => entry !== '');
}

/**
 * Refuses a change of an entity that another client has changed since it was read (`If-Match`).
 * @throws GraphError 412
 */
export function checkIfMatch(call: GraphCall, etag: string): void {
  const asked = call.headers['if-match'];
  if (asked === undefined || asked === '*' || asked === etag) return;
  throw new GraphError(
    412,
    'ErrorIrresolvableConflict',
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
  );
}
