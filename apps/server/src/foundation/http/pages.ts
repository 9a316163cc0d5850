import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const YEAR_S = 31_536_000;

/**
 * Serves the built browser application: browsers cache hashed assets for a year and ask for the page itself every time.
 * Every address that is no call and no file is answered with the page, which shows its own 404.
 */
export async function addPages(server: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const page = await readFile(join(folder, 'index.html'));
  await server.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    },
  });
  server.get('/*', { config: { rateLimit: false } }, async (request, reply) => {
    if (request.url.startsWith('/api/') || /\.\w+$/.test(request.url.split('?')[0] ?? '')) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}
