import type { Call } from '@keepwatch/contract/wire/call';
import { encodeQuery, type QueryObject } from '@keepwatch/contract/wire/query';
import * as fc from 'fast-check';
import type * as z from 'zod/mini';

/** Arbitrary requests for declared calls, made from their own schemas: the input of a new call is tested without a line here. */

/** What fields of these names may hold beside nonsense. */
export interface KnownValues {
  /** Of companies; and of everything, these included. */
  companyIds: readonly string[];
  ids: readonly string[];
  texts: readonly string[];
  /** Ids that a vendor gave to companies. */
  vendorIds: readonly string[];
  instants: readonly string[];
  /** Ids for fields of these names, where only few of all ids are of that kind. */
  idsOf?: Readonly<Record<string, readonly string[]>>;
}

export interface AnyRequest {
  method: Call['method'];
  /** With path parameters and query. */
  address: string;
  body?: string;
}

/** Requests of a call: some fields given, some not, ids of any provider. */
export function requestsOf(call: Call, known: KnownValues): fc.Arbitrary<AnyRequest> {
  const parts = fc.record({
    params: call.params === undefined ? fc.constant({}) : valuesOf(call.params, 'params', known),
    query: call.query === undefined ? fc.constant({}) : valuesOf(call.query, 'query', known),
    body: call.body === undefined ? fc.constant(undefined) : valuesOf(call.body, 'body', known),
  });
  return parts.map(({ params, query, body }) => {
    const values = new Map(Object.entries(params ?? {}));
    const path = call.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
    const text = encodeQuery((query ?? {}) as QueryObject);
    const address = `/api${path}${text === '' ? '' : `?${text}`}`;
    return { method: call.method, address, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  });
}

type Values = fc.Arbitrary<unknown>;

/** Values of a schema; a field's name says what its texts mean. */
function valuesOf(schema: z.core.$ZodType, name: string, known: KnownValues): fc.Arbitrary<object | undefined>;
function valuesOf(schema: z.core.$ZodType, name: string, known: KnownValues): Values {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return objectsOf(def.shape, known);
    case 'optional':
    case 'default':
      return fc.option(valuesOf(def.innerType, name, known), { nil: undefined, freq: 2 });
    case 'nullable':
      return fc.option(valuesOf(def.innerType, name, known));
    case 'pipe':
      return def.in._zod.def.type === 'transform' ? valuesOf(def.out, name, known) : valuesOf(def.in, name, known);
    case 'union':
      return fc.oneof(...def.options.map((option) => valuesOf(option, name, known)));
    case 'array':
      return fc.array(valuesOf(def.element, name, known), { minLength: 1, maxLength: 4 });
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return name === 'limit' ? fc.constantFrom(1, 3, 1_000) : fc.constantFrom(0, 1, 2);
    default:
      return textsOf(name, known);
  }
}

function objectsOf(shape: Readonly<Record<string, z.core.$ZodType>>, known: KnownValues): Values {
  const fields = Object.entries(shape).map(([name, inner]) => [name, valuesOf(inner, name, known)] as const);
  return fc.record(Object.fromEntries(fields));
}

function textsOf(name: string, known: KnownValues): Values {
  if (/^(from|to|\w+Until)$/.test(name)) return fc.constantFrom(...known.instants);
  if (name === 'limit') return fc.constantFrom('1', '1000');
  if (name === 'offset') return fc.constantFrom('0', '1');
  if (/^(vac|vcd|zerto)Id$/.test(name)) return fc.constantFrom(...known.vendorIds);
  const own = known.idsOf?.[name];
  if (own !== undefined) return fc.oneof(fc.constantFrom(...own), fc.constantFrom(...known.ids));
  if (/(^|[a-z])(id|ids|Id|Ids|Uid|Uids)$/.test(name))
    return fc.oneof(fc.constantFrom(...known.companyIds), fc.constantFrom(...known.ids));
  return fc.constantFrom(...known.texts);
}
