import { beforeAll, expect, test } from 'vitest';
import { behaveAsRealTenants } from '../../../sandbox/src/microsoft365/behaviours/demonstration.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { BackupResult } from '../backup/backup.ts';
import { backUp } from '../engine.ts';
import { OBJECT_KINDS } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';

const database = useDatabase();
let tenant: RunningTenant;
let connection: GraphConnection;
beforeAll(async () => {
  ({ tenant, connection } = await startConnected({ budgets: false }));
  behaveAsRealTenants(tenant.tenant);
  return () => tenant.stop();
});

function backedUp(stored: TestParts): Promise<BackupResult> {
  const source = openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 1 });
  const selection = {
    scope: 'everything',
    kinds: OBJECT_KINDS,
    include: [],
    exclude: [],
    personalSites: true,
  } as const;
  const work = { signal: new AbortController().signal, onEvent: () => undefined };
  return backUp(stored, source, { job: { id: 'job', name: 'Job', selection } }, work);
}

/** What was not read and why, without the ids of requests, which are others in each run. */
const refusals = ({ findings }: BackupResult) =>
  findings.failures.map(({ objectName, message }) => `${objectName}: ${message.replace(/request [^)]*/, '')}`).sort();

test('a tenant that behaves as real ones do is backed up but for what it refuses, which is named in every run', async () => {
  const stored = await database.parts();
  const first = await backedUp(stored);
  const refused = refusals(first);
  expect(new Set(refused.map((message) => /answered (\d+) /.exec(message)?.[1]))).toEqual(
    new Set(['301', '403', '423']),
  );
  expect(first.findings.lost).toEqual([]);
  expect(first.outcome).toBe('Warning');
  const second = await backedUp(stored);
  expect(refusals(second)).toEqual(refused);
  expect(second.findings.lost).toEqual([]);
  // What was deleted and made again between two pages is there once, and is the same in both runs.
  const { remadeFolders } = tenant.tenant.behaviours;
  const [person] = Array.isArray(remadeFolders) ? remadeFolders : [];
  const key = stored.repository.objectKey({ organizationId: connection.tenantId, kind: 'mailbox', id: String(person) });
  const folders = await stored.catalog.object(key);
  if (folders === null) throw new Error('The mailbox was not stored.');
  const names: string[] = [];
  for await (const { kind, name } of stored.catalog.walk(key, folders.revision, null))
    if (kind === 'mail-folder') names.push(name);
  const inside = [...tenant.tenant.mailboxes.of(String(person)).folders.values()].filter(
    ({ folderClass, wellKnownName, displayName }) =>
      folderClass === 'IPF.Note' &&
      !wellKnownName?.startsWith('recoverable') &&
      wellKnownName !== 'msgfolderroot' &&
      // A search folder has no messages of its own, and is not backed up.
      displayName !== 'Unread of all folders',
  );
  expect(names.sort()).toEqual(inside.map(({ displayName }) => displayName).sort());
});
