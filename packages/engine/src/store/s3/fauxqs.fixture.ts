import { buildApp } from 'fauxqs';

/** Which writes a server takes as conditional. */
export interface HeededConditions {
  single: boolean;
  parts: boolean;
}

interface ObjectRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  url: string;
}

/**
 * The S3 server of the package fauxqs, on loopback. It knows no conditional writes, no versions, no object lock, no Content-MD5, takes any
 * keys, and single writes of up to 11 MiB. What exclusive creation needs is put in front of it here: `If-None-Match: *` is answered
 * with 412 where the key exists. Its own work happens in one go after that, so no other writer comes between.
 */
export async function startFauxqs(heeds: HeededConditions = { single: true, parts: true }) {
  const app = buildApp({ logger: false });
  const keys = new Set<string>();
  app.addHook('preHandler', (request, reply, done) => {
    if (isRefused(request, keys, heeds))
      void reply.code(412).type('application/xml').send('<Error><Code>PreconditionFailed</Code></Error>');
    else done();
  });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  return { endpoint, stop: () => app.close() };
}

/** Keeps account of the keys that exist. */
function isRefused({ method, headers, url }: ObjectRequest, keys: Set<string>, heeds: HeededConditions): boolean {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (method === 'DELETE' && !searchParams.has('uploadId')) keys.delete(pathname);
  const isSingle = method === 'PUT' && !searchParams.has('partNumber');
  const isParts = method === 'POST' && searchParams.has('uploadId');
  if (!isSingle && !isParts) return false;
  const isHeeded = headers['if-none-match'] === '*' && (isSingle ? heeds.single : heeds.parts);
  if (isHeeded && keys.has(pathname)) return true;
  keys.add(pathname);
  return false;
}
