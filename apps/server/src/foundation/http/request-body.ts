import { BODY_BYTES_DEFAULT, type Call } from '@keepwatch/contract/wire/call';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import { bodyText } from './body-text.ts';
import { readJsonBody } from './json-body.ts';

/** A body in the form that its call accepts; the other forms are empty. */
export interface RequestBody {
  json: unknown;
  text: string;
  bytes: Buffer;
}

const EMPTY = Buffer.alloc(0);

export function readBody(call: Call, request: FastifyRequest): RequestBody {
  const bytes = Buffer.isBuffer(request.body) ? request.body : EMPTY;
  if (call.rawBody !== undefined) return { json: undefined, text: '', bytes };
  const text = bodyText(bytes);
  const bytesMax = call.bodyBytesMax ?? BODY_BYTES_DEFAULT;
  return { json: call.textBodyBytesMax === undefined ? readJsonBody(text, bytesMax) : undefined, text, bytes: EMPTY };
}

/** Refuses a body of a type that its call does not accept, before it is read. JSON and texts are accepted whatever type they name. */
export function requireBodyType(call: Call, { headers }: FastifyRequest): void {
  if (call.rawBody === undefined) return;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (call.rawBody.types.includes(type)) return;
  throw new Refusal(415, 'BODY_TYPE', `The body must be of the type ${call.rawBody.types.join(' or ')}.`);
}
