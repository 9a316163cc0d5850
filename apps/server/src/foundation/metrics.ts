import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What this process counts, as Prometheus reads it. One registry a process, made at start. */
export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'method' | 'path' | 'status'>;
  syncRuns: Counter<'status'>;
  runsIngested: Counter<'outcome'>;
  liveConnections: Gauge;
}

export function openMetrics(role: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry, prefix: 'keepwatch_' });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'keepwatch_request_seconds',
      help: 'Time to answer a request, by declared path',
      labelNames: ['method', 'path', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    syncRuns: new Counter({
      name: 'keepwatch_sync_runs_total',
      help: 'Syncs that ended',
      labelNames: ['status'],
      registers: [registry],
    }),
    runsIngested: new Counter({
      name: 'keepwatch_runs_ingested_total',
      help: 'Runs ingested, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    liveConnections: new Gauge({
      name: 'keepwatch_live_connections',
      help: 'Browsers that listen for live events',
      registers: [registry],
    }),
  };
}
