import { entityNames } from '@keepwatch/contract/wire/entity';
import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

const DEFINITION = '#/$defs/';
const COMPONENT = '#/components/schemas/';

/** Describes schemas for one document, and gathers the entities that they name as its components. */
export class SchemaBook {
  readonly components: Record<string, Json> = {};

  of(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const described = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: entityNames,
      override: ({ zodSchema, jsonSchema }) => {
        if (io === 'input') describeOneForm(zodSchema, jsonSchema);
      },
    });
    const { $schema: _, $defs = {}, ...rest } = rewritten(described) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition);
    return rest;
  }

  /** Two schemas of one name would be one type in every client. */
  #add(name: string, { id: _, ...definition }: Json): void {
    const before = this.components[name];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(definition))
      throw new Error(`Two entities are named ${name}. Give one of them another name.`);
    this.components[name] = definition;
  }
}

/**
 * A query accepts numbers, truth values and lists as texts, too (`wire/fields.ts`). Both forms would be a union in every client, so only
 * the typed one is described: with the bounds of what leaves, if that has a type, else the first of the union. The default, which
 * the library leaves out of what is read from another form, is one of the typed form.
 */
function describeOneForm(schema: z.core.$ZodTypes, described: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod;
  if (def.type === 'default') described.default ??= def.defaultValue;
  const [typed] = described.anyOf ?? [];
  if (def.type !== 'pipe' || typed === undefined) return;
  const { $schema: _, ...leaving } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  delete described.anyOf;
  Object.assign(described, leaving.type === undefined ? typed : leaving);
}

/** Names entities as components, and what may be null as a type of its own. */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value === 'string' && value.startsWith(DEFINITION)) return COMPONENT + value.slice(DEFINITION.length);
  if (typeof value !== 'object' || value === null) return value;
  return nullable(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewritten(inner)])));
}

/**
 * A field that may be null is one type and null (`type: [string, 'null']`), as OpenAPI 3.1 says it by JSON Schema; a union of two would be a type of its own in
 * generated clients. https://spec.openapis.org/oas/v3.1.0#data-types
 */
function nullable(described: Json): Json {
  const { anyOf, ...rest } = described;
  const [typed, other, ...more] = Array.isArray(anyOf) ? (anyOf as Json[]) : [];
  if (typed === undefined || other?.['type'] !== 'null' || more.length > 0) return described;
  if (typeof typed['type'] !== 'string' || 'const' in typed) return described;
  const values = Array.isArray(typed['enum']) ? { enum: [...typed['enum'], null] } : {};
  return { ...rest, ...typed, ...values, type: [typed['type'], 'null'] };
}
