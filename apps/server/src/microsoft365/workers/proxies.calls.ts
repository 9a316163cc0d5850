import * as contract from '@keepwatch/contract/microsoft365/jobs';
import { notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { askEngine } from '../engine/ask-engine.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { findOrganizationOf } from '../repositories/repositories.ts';
import { type Machines, machinesOf } from './machines.ts';
import { runsByProxy } from './runs-by-proxy.ts';
import { listPools, listProxies } from './workers.ts';

/** The calls about machines that back up: those of the engine of an organization, and without one those of this portal. */
export const proxyCalls = (open: OpenEngine): Route[] => [
  answer(contract.listProxies, async (context, { query: { organizationId } }) => {
    const { proxies, pools } = await readMachines(open, context, organizationId);
    const names = new Map(pools.map(({ id, name }) => [id, name]));
    const runs = await runsByProxy(context.database, context.scope, organizationId);
    const data = proxies.map(({ poolId, seenAt, ...proxy }) => ({
      ...proxy,
      runs: runs.get(proxy.id) ?? [],
      pool: names.get(poolId ?? '') ?? null,
      seenAt: seenAt?.toISOString() ?? null,
    }));
    return { data };
  }),

  answer(contract.listProxyPools, async (context, { query: { organizationId } }) => {
    const { pools } = await readMachines(open, context, organizationId);
    return { data: pools.map(({ id, name, proxyIds }) => ({ id, name, proxyCount: proxyIds.length })) };
  }),
];

async function readMachines(
  open: OpenEngine,
  context: SignedInContext,
  organizationId: string | undefined,
): Promise<Machines> {
  const { database, scope } = context;
  if (organizationId === undefined) return { proxies: await listProxies(database), pools: await listPools(database) };
  if ((await findOrganizationOf(database, scope, organizationId)) === null) throw notFound('organization');
  const engine = await open(database, { providerId: scope.providerId, id: organizationId });
  return askEngine(context, engine, machinesOf);
}
