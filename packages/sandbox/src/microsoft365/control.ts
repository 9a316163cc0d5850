import { faultKinds, readFaults, TenantFaultError } from './faults/fault.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import { heldItems } from './mailbox/held-items.ts';
import { applySettings } from './settings.ts';
import type { Tenant } from './tenant.ts';
import type { GraphReply } from './wire/graph-call.ts';
import type { WireRequest } from './wire/http.ts';
import { isObject, numberOf, objectOf, textOf } from './wire/json.ts';
import type { Traffic } from './wire/traffic.ts';

/** What the control calls can reach. */
export interface ControlParts {
  tenants: ReadonlyMap<string, Tenant>;
  plan: FaultPlan;
  traffic: Traffic;
  nowMs: () => number;
  advance: (ms: number) => void;
  evolve: (steps: number) => void;
  /** Answers a device code as a person would: signed in as a user (id or name), or declined; `false` for no such code. */
  settleDeviceCode: (userCode: string, user: string | undefined) => boolean;
  /** Facts about the running tenants that a reader of `GET /__sandbox` may want. */
  describe: () => object;
}

type ControlCall = (parts: ControlParts, body: unknown) => object | undefined;

const calls: Readonly<Record<string, ControlCall>> = {
  'GET /__sandbox': (parts) => ({
    what: 'Invented Microsoft 365 tenants behind the identity platform and Microsoft Graph v1.0.',
    now: new Date(parts.nowMs()).toISOString(),
    ...parts.describe(),
    control: Object.keys(calls),
    faultKinds,
    faults: parts.plan.list(),
  }),
  'GET /__sandbox/requests': ({ traffic }) => traffic.report(),
  'DELETE /__sandbox/requests': ({ traffic }) => {
    traffic.reset();
    return undefined;
  },
  'GET /__sandbox/items': ({ tenants }) => ({ items: [...tenants.values()].map(heldItems) }),
  'GET /__sandbox/mails': ({ tenants }) => ({
    mails: [...tenants.values()].flatMap(({ meetingMails }) => meetingMails),
    automaticReplies: [...tenants.values()].flatMap(({ automaticReplies }) => automaticReplies),
  }),
  'POST /__sandbox/faults': ({ plan }, body) => {
    plan.set(readFaults(body));
    return { faults: plan.list() };
  },
  'DELETE /__sandbox/faults': ({ plan }) => {
    plan.set([]);
    return undefined;
  },
  'POST /__sandbox/clock': ({ advance, nowMs }, body) => {
    advance(readNumber(body, 'advanceMs', 3650 * 86_400_000));
    return { now: new Date(nowMs()).toISOString() };
  },
  'POST /__sandbox/devicecode': ({ settleDeviceCode }, body) => {
    const { userCode, user } = objectOf(body);
    if (typeof userCode !== 'string') throw new TenantFaultError('userCode must be a text');
    if (settleDeviceCode(userCode, textOf(user))) return {};
    throw new TenantFaultError(`There is no device code ${userCode} that waits for a person, or no such user`);
  },
  'POST /__sandbox/settings': ({ tenants }, body) => {
    applySettings(tenants.values(), body);
    return undefined;
  },
  'POST /__sandbox/evolve': ({ evolve }, body) => {
    evolve(readNumber(body, 'steps', 100_000));
    return {};
  },
};

const loopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

/** Answers the calls that steer the sandbox. They are no part of the vendor's API, and answer this machine alone. */
export function answerControl(parts: ControlParts, request: WireRequest): GraphReply | undefined {
  const path = request.fullUrl.split('?', 1)[0] ?? '';
  const call = calls[`${request.method} ${path}`];
  if (!call) return undefined;
  if (!loopback.includes(request.remoteAddress ?? '')) {
    return { status: 403, body: { message: 'Only this machine may steer the sandbox.' } };
  }
  try {
    const body = call(parts, request.body);
    return body ? { status: 200, body } : { status: 204 };
  } catch (error) {
    if (error instanceof TenantFaultError) return { status: 400, body: { message: error.message } };
    throw error;
  }
}

function readNumber(body: unknown, name: string, most: number): number {
  const value = isObject(body) ? numberOf(body[name]) : undefined;
  if (value !== undefined && value >= 0 && value <= most) return value;
  throw new TenantFaultError(`${name} must be a number from 0 to ${most}`);
}
