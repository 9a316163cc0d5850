import { entityNames } from '@keepwatch/contract/wire/entity';
import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

const DEFINITION = '#/$defs/';
const COMPONENT = '#/components/schemas/';

/** Describes schemas for one document, and gathers the entities that they name as its components. */
export class SchemaBook {
  readonly components: Record<string, Json> = {};

  of(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const described = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: entityNames });
    const { $schema: _, $defs = {}, ...rest } = toComponents(described) as Json & { $defs?: Record<string, Json> };
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

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents);
  if (typeof value === 'string' && value.startsWith(DEFINITION)) return COMPONENT + value.slice(DEFINITION.length);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toComponents(inner)]));
}
