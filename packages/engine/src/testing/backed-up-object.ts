import type { TenantFault } from '../../../sandbox/src/microsoft365/faults/fault.ts';
import { type BackupResult, backUp } from '../backup/backup.ts';
import type { StoredItem } from '../model/items.ts';
import type { ObjectKind, ProtectedObject } from '../model/protected-object.ts';
import type { Clock } from '../source/graph/clock.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import type { GraphSourceOptions } from '../source/graph/reader.ts';
import type { Source } from '../source/source.ts';
import { startConnected } from './graph/graph-tenant.ts';
import { graphObjectOf } from './graph/graph-world.ts';
import type { TestParts } from './test-parts.ts';
import { EVERYTHING } from './written-source.ts';

/** Time as it is, but that pauses are short: faults that go on for ever are tried as often as ever. */
const HASTY: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => {
    signal?.throwIfAborted();
    return new Promise((resolve) => setTimeout(resolve, Math.min(ms, 2)));
  },
};

/** One object of a tenant of the sandbox, backed up run after run. */
export async function backedUpObject(
  parts: TestParts,
  kind: ObjectKind,
  options: GraphSourceOptions = {},
  isMeant: (object: ProtectedObject) => boolean = () => true,
) {
  const { tenant, connection } = await startConnected({ budgets: false }, { clock: HASTY });
  const whole = openGraphSource(connection, { keepExchangeStream: false, ...options });
  const object = await graphObjectOf(whole, tenant, kind, isMeant);
  const source: Source = {
    organizationId: whole.organizationId,
    async *listObjects() {
      yield object;
    },
    read: (request) => whole.read(request),
    close: () => whole.close(),
  };
  const key = parts.repository.objectKey(object);
  return {
    tenant,
    connection,
    object,
    async backUp(...faults: TenantFault[]): Promise<BackupResult> {
      tenant.setFaults(faults);
      const { signal } = new AbortController();
      const result = await backUp({ ...parts, source, signal }, { id: 'job', name: 'Job', selection: EVERYTHING });
      tenant.setFaults([]);
      return result;
    },
    /** All that is in the last restore point. */
    async items(): Promise<StoredItem[]> {
      const stored = await parts.catalog.object(key);
      const found: StoredItem[] = [];
      if (stored !== null) for await (const item of parts.catalog.walk(key, stored.revision, null)) found.push(item);
      return found;
    },
  };
}
