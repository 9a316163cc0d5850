import { generate } from 'selfsigned';
import { permissionNames } from '../../../../sandbox/src/microsoft365/applications/permissions.ts';
import { addCertificate } from '../../../../sandbox/src/microsoft365/applications/register-application.ts';
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
    sharePointUrl: tenant.sharePointUrl,
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

/** A connection by a certificate, which is what SharePoint's own interface takes; by another application with these of its permissions, if given. */
export async function connectByCertificate(
  tenant: RunningTenant,
  ofSharePoint?: readonly string[],
  options: Partial<GraphOptions> = {},
): Promise<GraphConnection> {
  const { private: privateKey, cert } = await generate([{ name: 'commonName', value: 'keeper' }], { keySize: 2048 });
  const { clientId } =
    ofSharePoint === undefined ? tenant.application : tenant.registerApplication(permissionNames, ofSharePoint);
  addCertificate(tenant.tenant, clientId, cert);
  return connectTo(tenant, {
    applications: [{ clientId, certificate: { privateKey, certificate: cert } }],
    ...options,
  });
}
