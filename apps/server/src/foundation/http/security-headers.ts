import type { FastifyInstance } from 'fastify';
import { contentPolicy } from './content-policy.ts';

const SECURITY_HEADERS = {
  'content-security-policy': contentPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** A browser that has opened the portal by https asks for it by nothing else for a year. Other hosts of the domain are not ours. */
const TRANSPORT_SECURITY = { 'strict-transport-security': `max-age=${365 * 24 * 60 * 60}` };

/** Gives every answer the headers that protect its reader. They are always the same, so none is made for a request. */
export function addSecurityHeaders(server: FastifyInstance, isHttps: boolean): void {
  const headers = isHttps ? { ...SECURITY_HEADERS, ...TRANSPORT_SECURITY } : SECURITY_HEADERS;
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
