import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import { isLoopback } from '../local-address.ts';
import { hashOfToken } from '../secrets.ts';

/** What a proxy adds to a request that it passes on. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Lets a request read the metrics that carries their token, or that this machine itself has sent. Throws 401 for every other one.
 * `token` empty: none is set, and only this machine may read.
 */
export function requireMetricsAccess(request: FastifyRequest, token: string): void {
  if (isOfThisMachine(request) || carries(request, token)) return;
  throw new Refusal(
    401,
    'METRICS_TOKEN_REQUIRED',
    'Send the token of the setting METRICS_TOKEN as "Authorization: Bearer …", or ask from the machine itself.',
  );
}

/** A proxy on this machine asks for others, whatever address it or they name: what was passed on is not of this machine. */
function isOfThisMachine(request: FastifyRequest): boolean {
  const isPassedOn = PASSED_ON.some((name) => request.headers[name] !== undefined);
  return !isPassedOn && isLoopback(request.ip) && isLoopback(request.socket.remoteAddress ?? '');
}

/** Hashes are compared, in a time that says nothing about how much of the token is right. */
function carries(request: FastifyRequest, token: string): boolean {
  const given = /^Bearer (.{1,1000})$/.exec(request.headers.authorization ?? '')?.[1];
  return token !== '' && given !== undefined && timingSafeEqual(hashOfToken(given), hashOfToken(token));
}
