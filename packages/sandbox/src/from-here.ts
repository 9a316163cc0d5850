import type { FastifyRequest } from 'fastify';

const loopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

/** Whether a request comes from this machine: none else may steer a sandbox. */
export function isFromHere(request: FastifyRequest): boolean {
  return loopback.includes(request.socket.remoteAddress ?? '');
}
