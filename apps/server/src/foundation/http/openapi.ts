import type { Call } from '@keepwatch/contract/wire/call';
import { errorReply } from '@keepwatch/contract/wire/error';
import * as z from 'zod/mini';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of all calls, made from their declarations. */
export function describeCalls(calls: Readonly<Record<string, Call>>, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, call] of Object.entries(calls)) {
    const path = `/api${call.path}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keepwatch',
      version,
      description: 'Every call of the portal. Query keys of nested groups are dotted.',
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorReply, 'output') },
    },
  };
}

function operation(name: string, call: Call): Json {
  return {
    operationId: name,
    summary: call.summary,
    ...(call.access === 'public' ? {} : { security: [{ session: [] }] }),
    'x-access': call.access,
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query')],
    ...requestBody(call),
    responses: {
      200: { description: 'Done', content: replyContent(call) },
      default: {
        description: 'Refused or failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function requestBody(call: Call): Json {
  if (call.textBodyBytesMax !== undefined)
    return { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } };
  if (call.body === undefined) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } } };
}

function replyContent(call: Call): Json {
  if (call.reply === 'csv') return { 'text/csv': { schema: { type: 'string' } } };
  return { 'application/json': { schema: schemaOf(call.reply, 'output') } };
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

/** Nested groups of a query become dotted names, as they are sent. */
function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query', prefix = ''): Json[] {
  if (schema === undefined) return [];
  return parametersOf(schemaOf(schema, 'input'), place, prefix);
}

function parametersOf(schema: Json, place: 'path' | 'query', prefix: string): Json[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const required = (schema['required'] ?? []) as string[];
  return Object.entries(properties).flatMap(([name, inner]) =>
    inner['properties'] === undefined
      ? [
          {
            name: prefix + name,
            in: place,
            required: place === 'path' || (prefix === '' && required.includes(name)),
            schema: inner,
          },
        ]
      : parametersOf(inner, place, `${prefix}${name}.`),
  );
}
