import { calls, capabilities } from '@keepwatch/contract/calls';
import { declareCall, jsonOf } from '@keepwatch/contract/wire/call';
import { entity } from '@keepwatch/contract/wire/entity';
import { itemOf } from '@keepwatch/contract/wire/replies';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeCalls } from './openapi.ts';
import { exampleOf } from './openapi-examples.ts';
import { SchemaBook } from './openapi-schemas.ts';

const document = describeCalls({ calls, capabilities, version: '1.2.3' });
const text = JSON.stringify(document);

describe('the OpenAPI page', () => {
  it('is valid by an independent validator, its references included', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('names the entities, and refers to them', () => {
    expect(document['components']).toMatchObject({
      schemas: { Company: { properties: { isManaged: { type: 'boolean' } } }, Error: { type: 'object' } },
    });
    expect(text).toContain('"$ref":"#/components/schemas/Company"');
    expect(text).not.toContain('$defs');
  });

  it('gives each call its capability, the refusals of its kind and what the audit log says', () => {
    const { paths } = document as { paths: Record<string, Record<string, { responses: object }>> };
    expect(paths['/api/companies']?.['post']).toMatchObject({ tags: ['Companies'], 'x-audit': 'company.create' });
    expect(Object.keys(paths['/api/companies']?.['get']?.responses ?? {})).toEqual(
      '200 401 403 422 503 default'.split(' '),
    );
    expect(Object.keys(paths['/api/auth/login/db']?.['post']?.responses ?? {})).not.toContain('403');
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(operations.filter((operation) => !('tags' in operation))).toEqual([]);
  });

  it('gives each field of a request one type, so that a generated client has it as its own', () => {
    const { paths } = document as { paths: Record<string, Record<string, { parameters: Parameter[] }>> };
    const parameters = paths['/api/monitoring/reporting/discovery/computers']?.['get']?.parameters ?? [];
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    expect(schemas).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 10 },
      'filter.companyIds': { type: 'array', maxItems: 1_000, items: { type: 'string' } },
      'filter.ignored': { type: 'boolean' },
    });
    const requests = Object.values(paths).flatMap((path) =>
      Object.values(path).map((operation) => ({ ...operation, responses: {} })),
    );
    expect(openUnions(requests)).toEqual([]);
    const { schemas: entities } = document['components'] as { schemas: Record<string, object> };
    const named = [...JSON.stringify(requests).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name ?? '',
    );
    expect(openUnions(named.map((name) => entities[name]))).toEqual([]);
  });

  it('describes what may be null as its type and null, and objects with a constant that discriminates them as a union', () => {
    const fields = z.object({
      count: z.nullable(z.int().check(z.minimum(1), z.maximum(9))),
      size: z.nullable(z.literal([1, 2])),
      place: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('folder'), path: z.string() }),
        z.object({ kind: z.literal('s3'), bucket: z.string() }),
      ]),
      either: z.union([z.string(), z.int()]),
      alike: z.union([z.object({ path: z.string() }), z.object({ bucket: z.string() })]),
    });
    const described = new SchemaBook().of(fields, 'input');
    expect(described['properties']).toMatchObject({
      count: { type: ['integer', 'null'], minimum: 1, maximum: 9 },
      size: { type: ['number', 'null'], enum: [1, 2, null] },
      place: { oneOf: [{ properties: { kind: { const: 'folder' } } }, { properties: { kind: { const: 's3' } } }] },
    });
    expect(openUnions(described)).toEqual(['properties.either', 'properties.alike']);
  });

  it('refuses two entities of one name', () => {
    const one = declared('/one', entity('Twin', z.object({ a: z.string() })));
    const other = declared('/other', entity('Twin', z.object({ b: z.string() })));
    const two = { calls: { one, other }, capabilities: { Test: ['one', 'other'] }, version: '1' };
    expect(() => describeCalls(two)).toThrow('Two entities are named Twin. Give one of them another name.');
  });
});

/** Names the unions that a generated client cannot have as one type: all but those of objects with a constant that discriminates them. */
function openUnions(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { anyOf, oneOf = anyOf } = value as { anyOf?: ObjectSchema[]; oneOf?: ObjectSchema[] };
  const own = oneOf === undefined || isDiscriminated(oneOf) ? [] : [path.join('.')];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => openUnions(inner, [...path, key]))];
}

interface ObjectSchema {
  properties?: Record<string, { const?: unknown }>;
  required?: string[];
}

/** Whether each of some objects requires a field of one name, with a constant of its own. */
function isDiscriminated(schemas: readonly ObjectSchema[]): boolean {
  return Object.keys(schemas[0]?.properties ?? {}).some((name) => {
    const constants = schemas.map(({ properties, required }) =>
      required?.includes(name) ? properties?.[name]?.const : undefined,
    );
    return !constants.includes(undefined) && new Set(constants).size === schemas.length;
  });
}

interface Parameter {
  name: string;
  schema: object;
}

function declared<E extends z.ZodMiniType>(path: string, reply: E) {
  const texts = { failure: 'The thing could not be read.', summary: 'A thing.' };
  return declareCall({ method: 'GET', path, access: 'public', ...itemOf(reply), ...texts });
}

const schemas = Object.entries(calls).flatMap(([name, { params, query, body, reply }]) =>
  Object.entries({ params, query, body, reply: jsonOf(reply) }).flatMap(([part, schema]) =>
    schema === undefined || schema === null ? [] : [{ name, part, schema }],
  ),
);

describe('the examples', () => {
  it.each(schemas)('$name: the one of its $part is valid', ({ schema }) => {
    expect(z.safeParse(schema, exampleOf(schema)).error).toBeUndefined();
  });

  it('are as full as the schema allows', () => {
    expect(exampleOf(z.object({ a: z.optional(z.string()), b: z.nullable(z.int()) }))).toEqual({ a: 'Example', b: 1 });
    const either = z.object({ a: z.optional(z.int()), b: z.optional(z.int()) });
    const one = either.check(z.refine(({ a, b }) => (a === undefined) !== (b === undefined)));
    expect(exampleOf(one)).toEqual({ a: 1 });
  });
});
