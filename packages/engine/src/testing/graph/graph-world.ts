import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import type { ObjectKind, ProtectedObject } from '../../model/protected-object.ts';
import type { GraphConnection } from '../../source/graph/connection.ts';
import { openGraphSource } from '../../source/graph/graph-source.ts';
import type { GraphSourceOptions } from '../../source/graph/reader.ts';
import type { Source } from '../../source/source.ts';
import type { SourceWorld } from '../../suites/source-suite.ts';
import { smallDriveOf } from './graph-drive.ts';
import { objectsIn } from './graph-mailbox.ts';
import { filledSiteOf } from './graph-site.ts';
import { startConnected } from './graph-tenant.ts';

/** The first of a tenant that has all sorts of what its kind has, and no giants. */
export async function graphObjectOf(
  source: Source,
  tenant: RunningTenant,
  kind: ObjectKind,
  isMeant: (object: ProtectedObject) => boolean = () => true,
): Promise<ProtectedObject> {
  if (kind === 'site') return (await filledSiteOf(source, tenant)).object;
  if (kind === 'drive') return smallDriveOf(source, tenant);
  const found = (await objectsIn(source, kind)).find(isMeant);
  if (found === undefined) throw new Error(`The tenant has no ${kind} of the sort.`);
  return found;
}

/** An object of a tenant of the sandbox, and how to reach it on the wire and behind it. */
export interface GraphObject {
  tenant: RunningTenant;
  connection: GraphConnection;
  object: ProtectedObject;
}

interface GraphWorld {
  kind: ObjectKind;
  /** Of several; without: the first. */
  isMeant?: (object: ProtectedObject) => boolean;
  options?: GraphSourceOptions;
  /** What is done before anything is read. */
  begin?: (world: GraphObject) => Promise<void>;
  change(world: GraphObject): Promise<void> | void;
  /** Which calls go on from places that can be lost, and how many; without: none. */
  places?: { path: string; times: number };
}

/** An object of a tenant of the sandbox, as the suite of sources wants it. */
export async function openGraphWorld({
  kind,
  isMeant,
  options,
  begin,
  change,
  places,
}: GraphWorld): Promise<SourceWorld> {
  const { tenant, connection } = await startConnected();
  const source = openGraphSource(connection, options);
  const object = await graphObjectOf(source, tenant, kind, isMeant);
  const world = { tenant, connection, object };
  await begin?.(world);
  return {
    source,
    object,
    change: async () => change(world),
    losePlaces: () => tenant.setFaults(places === undefined ? [] : [{ kind: 'sync-state-gone', ...places }]),
    close: () => tenant.stop(),
  };
}
