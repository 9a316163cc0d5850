import type { FastifyReply } from 'fastify';
import { errorBody, VendorError } from '../vspc/errors.ts';
import { type Fault, numberParameter, textParameter } from './fault.ts';

/**
 * Faults that answer in place of the resource.
 * @returns whether the fault is one of them; if so the request is done with
 */
export function refuse(fault: Fault, reply: FastifyReply): boolean {
  switch (fault.kind) {
    case 'throttle':
      reply.header('Retry-After', String(numberParameter(fault, 'retryAfterSeconds', 1)));
      sendError(reply, new VendorError(429, 'retryableLogical', 'Too many requests. Repeat the request later.'));
      return true;
    case 'server-error':
      sendError(reply, serverError(numberParameter(fault, 'status', 500)));
      return true;
    case 'expired-token':
      sendError(reply, new VendorError(401, 'security', 'Access token has expired.'));
      return true;
    case 'garbage':
      sendGarbage(reply, textParameter(fault, 'form', 'html'));
      return true;
    case 'hang':
      // The server gives up control of the request and never answers it; the connection stays open.
      reply.hijack();
      return true;
    default:
      return false;
  }
}

function serverError(status: number): VendorError {
  const isBusy = status === 503;
  const message = isBusy ? 'The service is not available at the moment.' : 'An unexpected error occurred.';
  return new VendorError(status, isBusy ? 'retryableLogical' : 'unspecified', message);
}

function sendError(reply: FastifyReply, error: VendorError): void {
  reply.code(error.status).send(errorBody(error));
}

function sendGarbage(reply: FastifyReply, form: string): void {
  if (form === 'truncated') reply.type('application/json').send('{"meta":{"pagingInfo":{"total":14,"count":14,');
  else if (form === 'empty') reply.type('application/json').send('');
  else reply.type('text/html').send('<!doctype html><html><body><h1>Bad gateway</h1><p>proxy-7</p></body></html>');
}
