import type { EngineProxy, EngineProxyPool, Microsoft365Engine } from '@keepwatch/connectors/ports/microsoft365-engine';

/** Machines that back up. */
export interface Machines {
  proxies: readonly EngineProxy[];
  pools: readonly EngineProxyPool[];
}

/** The machines of an engine. */
export async function machinesOf(
  engine: Pick<Microsoft365Engine<never>, 'listProxies' | 'listProxyPools'>,
  signal: AbortSignal,
): Promise<Machines> {
  return { proxies: await engine.listProxies(signal), pools: await engine.listProxyPools(signal) };
}
