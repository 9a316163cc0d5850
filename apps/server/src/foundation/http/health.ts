import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { type Pool, rows } from '../database.ts';
import type { Metrics } from '../metrics.ts';
import type { Queue } from '../queue.ts';
import { requireMetricsAccess } from './metrics-access.ts';

/** `/healthz`: this process answers. `/readyz`: the database and the queue answer too. `/metrics`: Prometheus text. */
export function addHealth(
  server: FastifyInstance,
  parts: { database: Pool; queue: Queue; metrics: Metrics; metricsToken: string },
): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const [database, queue] = await Promise.all([
      answers(() => rows(parts.database, sql`select 1`)),
      answers(parts.queue.isAnswering),
    ]);
    return reply
      .code(database && queue ? 200 : 503)
      .send({ status: database && queue ? 'ok' : 'not ready', database, queue });
  });
  server.get('/metrics', async (request, reply) => {
    requireMetricsAccess(request, parts.metricsToken);
    return reply.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics());
  });
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    (answer) => answer !== false,
    () => false,
  );
}
