import type { FastifyInstance } from 'fastify';

/** Starts a vendor on a free port of this machine, without TLS, and returns its address. */
export async function listenLocally(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The sandbox does not listen on a port');
  return `http://127.0.0.1:${address.port}`;
}
