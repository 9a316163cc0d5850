import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../errors.ts';

/** The token that a request carries. Throws 401 for one that carries none, or something that cannot be one. */
export function bearerToken(request: FastifyRequest): string {
  const token = /^Bearer ([\w-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthenticated();
  return token;
}
