import { type RunningTenant, startTenant, type TenantOptions } from '../../../../sandbox/src/microsoft365/server.ts';
import type { Clock } from '../../source/graph/clock.ts';
import { type GraphConnection, type GraphOptions, openGraphConnection } from '../../source/graph/connection.ts';

/** A connection to a running tenant of the sandbox, by the secret of its application. */
export function connectTo(tenant: RunningTenant, options: Partial<GraphOptions> = {}): GraphConnection {
  const { clientId, clientSecret } = tenant.application;
  return openGraphConnection({
    cloud: 'worldwide',
    tenantId: tenant.tenantId,
    applications: [{ clientId, secret: clientSecret }],
    loginUrl: tenant.loginUrl,
    graphUrl: tenant.graphUrl,
    licences: Number.POSITIVE_INFINITY,
    ...options,
  });
}

/** A tenant and a connection to it for one test. */
export async function startConnected(options: TenantOptions = {}, graph: Partial<GraphOptions> = {}) {
  const tenant = await startTenant({ size: 'small', ...options });
  return { tenant, connection: connectTo(tenant, graph) };
}

/** A clock that stops until a sleep begins, and then jumps to its end. */
export class JumpingClock implements Clock {
  readonly sleeps: number[] = [];
  private nowMs: number;

  constructor(nowMs = Date.parse('2026-11-02T08:00:00Z')) {
    this.nowMs = nowMs;
  }

  now(): number {
    return this.nowMs;
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.nowMs += ms;
    // Others go on in between, as they would while time passes.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
