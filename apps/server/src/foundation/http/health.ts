import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import { openReadiness, type ReadinessParts } from '../readiness.ts';
import { requireMetricsAccess } from './metrics-access.ts';

/**
 * `/healthz`: this process answers. `/readyz`: the database can write, the queue answers and the disk has room. `/metrics`: Prometheus
 * text.
 */
export function addHealth(
  server: FastifyInstance,
  parts: ReadinessParts & { metrics: Metrics; metricsToken: string },
): void {
  const readiness = openReadiness(parts);
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const works = await readiness();
    const isReady = Object.values(works).every(Boolean);
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'not ready', ...works });
  });
  server.get('/metrics', async (request, reply) => {
    requireMetricsAccess(request, parts.metricsToken);
    return reply.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics());
  });
}
