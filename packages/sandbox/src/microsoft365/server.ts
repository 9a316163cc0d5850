import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { textHash, uid } from '../world/random.ts';
import {
  type ApplicationCredentials,
  addCertificate,
  editRegistration,
  type Registration,
  registerApplication,
} from './applications/register-application.ts';
import type { Behaviours } from './behaviours/behaviours.ts';
import { buildTenant } from './build-tenant.ts';
import { answerControl } from './control.ts';
import { evolve } from './evolution.ts';
import type { TenantFault } from './faults/fault.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { AccessTokens } from './identity/access-tokens.ts';
import { answerAdminConsent } from './identity/admin-consent-page.ts';
import { answerDeviceLogin } from './identity/device-login-page.ts';
import { Identity } from './identity/identity.ts';
import { openRoutes, routes } from './routes.ts';
import { SharePointRest } from './sharepoint/rest-server.ts';
import type { Tenant } from './tenant.ts';
import type { TenantSize } from './tenant-facts.ts';
import { ChangeLog } from './wire/change-log.ts';
import { Graph } from './wire/graph.ts';
import { createServer } from './wire/http.ts';
import { PreauthenticatedLinks } from './wire/preauthenticated-links.ts';
import { Router } from './wire/router.ts';
import { Traffic } from './wire/traffic.ts';

export interface TenantOptions {
  /** Which world; the same seed always gives the same one. Default 1. */
  seed?: number;
  /** Default `small`. */
  size?: TenantSize;
  /** The clock of the world. Default: real time. */
  now?: () => Date;
  /** Default 0: a free one. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Whether the documented limits of mailboxes are enforced. Default true. */
  budgets?: boolean;
  /** Milliseconds every answer of Graph takes; default 0. */
  latencyMs?: number;
  /** Whether `/__sandbox` answers (this machine alone). Default true. */
  control?: boolean;
  /** Whether mailboxes can be exported and imported as whole items; default true. */
  mailboxTransfer?: boolean;
  /** Attempts for which a created application or service principal is not found yet; default 0. */
  replicationAttempts?: number;
  /** Tenants behind one address; default 1. */
  tenants?: number;
  /** What it does that real tenants do; switched later through `tenant.behaviours`. */
  behaviours?: Partial<Behaviours>;
  /** Default one hour, as at the vendor. */
  accessTokenLifetimeMs?: number;
}

/** One tenant as a test reaches it. */
export interface TenantAccess {
  tenantId: string;
  domain: string;
  /** An application that has every application permission. */
  application: ApplicationCredentials;
  /** Registers a certificate (PEM or DER) for the application, or for another one. */
  addCertificate(certificate: string | Buffer, clientId?: string): void;
  /** Registers another application with a secret and these application permissions. */
  registerApplication(permissions: readonly string[], ofSharePoint?: readonly string[]): ApplicationCredentials;
  /** Changes what the registration of an application asks for, and where a consent leads back to. */
  editRegistration(clientId: string, registration: Registration): void;
  /** The state itself, for tests that look behind the wire. */
  tenant: Tenant;
}

export interface RunningTenant extends TenantAccess {
  /** Such as `http://127.0.0.1:4711`; the address of both login and Graph. */
  url: string;
  /** What the engine puts before `/{tenant}/oauth2/v2.0`. */
  loginUrl: string;
  /** What the engine puts before `/v1.0`. */
  graphUrl: string;
  /** What the engine puts before the host of a site. */
  sharePointUrl: string;
  /** All tenants, the first included. */
  all: TenantAccess[];
  stop(): Promise<void>;
  /** Answers a device code as a person would: signed in as a user (id or sign-in name), or declined without one. */
  settleDeviceCode(userCode: string, user?: string): boolean;
  /** Replaces all faults; an empty list ends them. */
  setFaults(faults: readonly TenantFault[]): void;
  /** Moves the clock forward. */
  advance(ms: number): void;
  /** Changes the worlds: every step is one change somewhere. */
  evolve(steps: number): void;
  /** What has been asked since the start or `resetRequests`. */
  requests(): ReturnType<Traffic['report']>;
  resetRequests(): void;
}

/**
 * Starts invented Microsoft 365 tenants behind the identity platform and Microsoft Graph, on plain HTTP.
 * @throws the error of the system when the port is in use
 */
export async function startTenant(options: TenantOptions = {}): Promise<RunningTenant> {
  const clock = options.now ?? (() => new Date());
  let shiftMs = 0;
  const nowMs = () => clock().getTime() + shiftMs;
  const advance = (ms: number) => {
    shiftMs += ms;
  };
  const all = Array.from({ length: options.tenants ?? 1 }, (_, number) => makeTenant(options, number, nowMs));
  const tenants = new Map(all.map((access) => [access.tenantId, access.tenant]));
  const plan = new FaultPlan(options.seed ?? 1);
  const traffic = new Traffic(nowMs, options.budgets ?? true);
  let step = 0;
  const goOn = (steps: number) => {
    for (const { tenant } of all) evolve(tenant, step, steps);
    step += steps;
  };
  const { server, settleDeviceCode } = buildServer(options, {
    tenants,
    plan,
    traffic,
    nowMs,
    advance,
    evolve: goOn,
    all,
  });
  const url = await listen(server, options);
  const [first] = all;
  if (!first) throw new Error('tenants must be at least 1');
  return {
    ...first,
    url,
    loginUrl: url,
    graphUrl: url,
    sharePointUrl: `${url}/sharepoint`,
    all,
    stop: async () => {
      await stop(server);
      for (const { tenant } of all) tenant.drives.close();
    },
    settleDeviceCode,
    setFaults: (faults) => plan.set(faults),
    advance,
    evolve: goOn,
    requests: () => traffic.report(),
    resetRequests: () => traffic.reset(),
  };
}

function makeTenant(options: TenantOptions, number: number, nowMs: () => number): TenantAccess {
  const { seed = 1, size = 'small' } = options;
  const own = seed * 1000 + number;
  let ids = 0;
  const newId = () => uid(own, ++ids, 500);
  const name = ['contoso', 'fabrikam', 'northwind'][number] ?? `tenant${number + 1}`;
  const tenant = buildTenant({
    id: uid(own, 499),
    domain: `${name}.onmicrosoft.com`,
    displayName: `${name[0]?.toUpperCase()}${name.slice(1)}`,
    seed: textHash(String(own)),
    size,
    madeMs: nowMs(),
    nowMs,
    newId,
    directoryChanges: new ChangeLog(),
  });
  const application = registerApplication(tenant);
  tenant.hasMailboxTransfer = options.mailboxTransfer ?? true;
  Object.assign(tenant.behaviours, options.behaviours);
  tenant.applications.replicationAttempts = options.replicationAttempts ?? 0;
  return {
    tenantId: tenant.id,
    domain: tenant.domain,
    application,
    addCertificate: (certificate, clientId = application.clientId) => addCertificate(tenant, clientId, certificate),
    registerApplication: (permissions, ofSharePoint) => registerApplication(tenant, permissions, ofSharePoint),
    editRegistration: (clientId, registration) => editRegistration(tenant, clientId, registration),
    tenant,
  };
}

interface ServerParts {
  tenants: ReadonlyMap<string, Tenant>;
  plan: FaultPlan;
  traffic: Traffic;
  nowMs: () => number;
  advance: (ms: number) => void;
  evolve: (steps: number) => void;
  all: readonly TenantAccess[];
}

function buildServer(options: TenantOptions, parts: ServerParts) {
  const { tenants, plan, traffic, nowMs, all } = parts;
  const tokens = new AccessTokens(nowMs);
  const accessTokenLifetimeMs = options.accessTokenLifetimeMs ?? 3_599_000;
  const identity = new Identity({ tenants, tokens, nowMs, accessTokenLifetimeMs });
  const settleDeviceCode = (userCode: string, user?: string): boolean => {
    if (user === undefined) return identity.deviceCodes.settle(userCode, undefined);
    const known = [...tenants.values()].map(({ directory }) => directory.findUser(user)).find(Boolean);
    return known !== undefined && identity.deviceCodes.settle(userCode, known.id);
  };
  const login = { tenants, settle: settleDeviceCode };
  const latencyMs = options.latencyMs ?? 0;
  const latency = () => (latencyMs > 0 ? wait(latencyMs) : undefined);
  const graph = new Graph({ router: new Router(routes), tenants, tokens, plan, traffic, nowMs, latency });
  const links = new PreauthenticatedLinks(new Router(openRoutes), tenants, traffic);
  const sharePoint = new SharePointRest({ tenants, tokens, traffic, nowMs });
  const describe = () => ({
    tenants: all.map(({ tenantId, domain, application }) => ({ tenantId, domain, application })),
  });
  const server = createServer({
    graph: (request) => graph.answer(request),
    elsewhere: async (request) =>
      (options.control !== false && answerControl({ ...parts, settleDeviceCode, describe }, request)) ||
      (identity.answer(request) ??
        answerDeviceLogin(login, request) ??
        answerAdminConsent(tenants, request) ??
        (await sharePoint.answer(request)) ??
        (await links.answer(request, nowMs()))),
    plan,
    traffic,
    nowMs,
  });
  return { server, settleDeviceCode };
}

function listen(server: Server, { port = 0, host = '127.0.0.1' }: TenantOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (typeof address === 'object' && address) resolve(`http://${host}:${address.port}`);
      else reject(new Error('The sandbox does not listen on a port'));
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    // Requests that hang or dribble on purpose would keep the server open.
    server.closeAllConnections();
  });
}
