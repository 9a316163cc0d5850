import { type Call, isFile, jsonOf } from '@keepwatch/contract/wire/call';
import { errorReply } from '@keepwatch/contract/wire/error';
import type * as z from 'zod/mini';
import { exampleOf } from './openapi-examples.ts';
import { type Json, SchemaBook } from './openapi-schemas.ts';

export interface Described {
  calls: Readonly<Record<string, Call>>;
  /** The names of the calls of each capability: the chapters. */
  capabilities: Readonly<Record<string, readonly string[]>>;
  version: string;
}

/** The OpenAPI 3.1 description of all calls, made from their declarations. */
export function describeCalls({ calls, capabilities, version }: Described): Json {
  const book = new SchemaBook();
  const tagOf = new Map(Object.entries(capabilities).flatMap(([tag, names]) => names.map((name) => [name, tag])));
  const paths: Record<string, Json> = {};
  for (const [name, call] of Object.entries(calls)) {
    const path = `/api${call.path}`;
    const described = { operationId: name, tags: [tagOf.get(name)], ...operation(call, book) };
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: described };
  }
  const error = book.of(errorReply, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keepwatch',
      version,
      description: 'Every call of the portal. Query keys of nested groups are dotted.',
    },
    servers: [{ url: '/' }],
    tags: Object.keys(capabilities).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { ...book.components, Error: error },
    },
  };
}

function operation(call: Call, book: SchemaBook): Json {
  return {
    summary: call.summary,
    security: call.access === 'public' ? [] : [{ session: [] }],
    'x-access': call.access,
    ...(call.audit == null ? {} : { 'x-audit': call.audit }),
    parameters: [
      ...parameters(call.params, 'path', book),
      ...parameters(call.query, 'query', book),
      ...(call.headers ?? []).map((name) => ({ name, in: 'header', schema: { type: 'string' } })),
    ],
    ...requestBody(call, book),
    responses: { ...success(call, book), ...refusals(call) },
  };
}

function requestBody(call: Call, book: SchemaBook): Json {
  if (call.textBodyBytesMax !== undefined)
    return { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } };
  if (call.rawBody !== undefined) return { requestBody: { required: true, content: contentOf(call.rawBody.types) } };
  if (call.body === undefined) return {};
  return { requestBody: { required: true, content: jsonContent(call.body, 'input', book) } };
}

function success({ reply }: Call, book: SchemaBook): Json {
  const schema = jsonOf(reply);
  if (schema !== null) return { 200: { description: 'Done', content: jsonContent(schema, 'output', book) } };
  if (reply === 'empty') return { 204: { description: 'Done' } };
  if (reply === 'redirect')
    return { 302: { description: 'Continues at the address of the header', headers: LOCATION } };
  if (!isFile(reply)) throw new Error('A call has a reply of an unknown kind.');
  const content = contentOf(reply.types);
  const whole = { 200: { description: 'The file', content } };
  return reply.ranges ? { ...whole, 206: { description: 'The range asked for', content } } : whole;
}

const LOCATION = { Location: { schema: { type: 'string' } } };

/** A file or a body that is no JSON: text where the type says so, else bytes. */
function contentOf(types: readonly string[]): Json {
  return Object.fromEntries(
    types.map((type) => [type, { schema: type.startsWith('text/') ? { type: 'string' } : {} }]),
  );
}

function jsonContent(schema: z.ZodMiniType, io: 'input' | 'output', book: SchemaBook): Json {
  return { 'application/json': { schema: book.of(schema, io), example: exampleOf(schema) } };
}

/** The refusals that a call of this kind can be answered with, by its declaration; `default` for whatever else goes wrong. */
function refusals(call: Call): Json {
  const { access, method, params, query, body, rawBody, textBodyBytesMax, reply } = call;
  const hasBody = [body, rawBody, textBodyBytesMax].some((form) => form !== undefined);
  const possible: Readonly<Record<string, boolean>> = {
    401: access !== 'public',
    403: access !== 'public' && access !== 'signed-in',
    404: params !== undefined || method !== 'GET',
    409: method !== 'GET',
    415: rawBody !== undefined,
    416: isFile(reply) && reply.ranges,
    422: [params, query].some((part) => part !== undefined) || hasBody,
    503: true,
    default: true,
  };
  const applying = Object.keys(REFUSALS).filter((status) => possible[status]);
  return Object.fromEntries(applying.map((status) => [status, { description: REFUSALS[status], content: ERROR }]));
}

const ERROR = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const REFUSALS: Readonly<Record<string, string>> = {
  401: 'Not signed in, or the session has expired',
  403: 'The user lacks the ability',
  404: 'There is no such thing within reach of the user',
  409: 'It contradicts what there is, or the same Idempotency-Key is in use',
  415: 'The body is of another type',
  416: 'The range is past the end of the file',
  422: 'Fields are missing or invalid; each is named',
  503: 'The server is busy; try again after the time of the header Retry-After',
  default: 'Refused or failed',
};

/** Nested groups of a query become dotted names, as they are sent. */
function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query', book: SchemaBook): Json[] {
  return schema === undefined ? [] : parametersOf(book.of(schema, 'input'), place, '');
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
