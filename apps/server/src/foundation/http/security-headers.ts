import type { FastifyInstance } from 'fastify';

/** What a page may load and where it may be shown, as browsers are asked to enforce it. */
const CONTENT_POLICY = [
  "default-src 'self'",
  // Mantine writes its colour variables into a style element.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
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
