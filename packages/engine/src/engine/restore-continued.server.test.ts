import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { openCatalog, restore } from '../engine.ts';
import { EngineError } from '../model/engine-error.ts';
import { RESTORE_OPTIONS } from '../restore/restore-options.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { gathered } from '../testing/gathered.ts';
import { mailboxOf } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';

/** How many items a mailbox has in the folders of that name, wherever they are. */
function countIn({ tenant }: RunningTenant, mailbox: string, name: string): number {
  const folders = [...tenant.mailboxes.of(mailbox).folders.values()];
  return folders.filter(({ displayName }) => displayName === name).reduce((sum, { itemCount }) => sum + itemCount, 0);
}

/** A worker in a process of its own, which Microsoft 365 answers nothing more once it has restored something, and which is killed then. */
async function killedWorker(tenant: RunningTenant, given: readonly string[]): Promise<void> {
  // So that it reports its progress before its end, however quick the machine is.
  tenant.setFaults([{ kind: 'slow', method: 'POST', path: '*/messages', parameters: { chunkBytes: 1_000 } }]);
  const program = spawn(process.execPath, [join(import.meta.dirname, 'restoring.fixture.ts'), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  await Promise.race([once(program.stdout, 'data'), ended]);
  tenant.setFaults([{ kind: 'hang' }]);
  program.kill('SIGKILL');
  expect((await ended)[1]).toBe('SIGKILL');
  tenant.setFaults([]);
}

test('a restore whose worker was killed is continued by another one by its journal in the database, and restores nothing twice', async () => {
  const stored = await StoredBackup.create();
  onTestFinished(() => stored.close());
  const { tenant, connection } = await startConnected({ budgets: false });
  onTestFinished(() => tenant.stop());
  const source = openGraphSource(connection, { keepExchangeStream: false });
  const mailbox = await mailboxOf(source);
  await stored.backUpFrom(source, 'mailbox');
  const scope = await stored.scopeOf(mailbox);
  const stays = await gathered(stored.catalog.walk(scope.object.key, scope.revision, null));
  const name = [...tenant.tenant.mailboxes.of(mailbox.id).folders.values()].find(
    ({ wellKnownName }) => wellKnownName === 'inbox',
  )?.displayName;
  const inbox = stays.find((item) => item.kind === 'mail-folder' && item.name === name);
  if (inbox === undefined) throw new Error('The inbox was not stored.');
  const items = [inbox.id];
  const count = () => countIn(tenant, mailbox.id, inbox.name);
  const before = count();
  const { clientId, clientSecret: secret } = tenant.application;
  const { tenantId, loginUrl, graphUrl } = tenant;
  const connected = JSON.stringify({ tenantId, clientId, secret, loginUrl, graphUrl });
  const place = join(stored.folder, 'repository');
  await killedWorker(tenant, [place, 'correct horse', stored.databaseUrl, connected, scope.object.key, ...items]);
  expect(count()).toBeGreaterThan(before);
  expect(count()).toBeLessThan(2 * before);
  const another = await openCatalog(stored.databaseUrl);
  onTestFinished(() => another.close());
  const journals = another.restoreJournals(stored.repository.id);
  expect(await journals.list()).toMatchObject([{ about: { object: scope.object.key } }]);
  const catalog = await another.repository(stored.repository.id);
  const goOn = () =>
    restore(
      { repository: stored.repository, catalog },
      connection,
      { scope: { ...scope, items }, options: { ...RESTORE_OPTIONS, into: 'Restored' }, journals },
      { signal: new AbortController().signal, onEvent: () => undefined },
    );
  // The database may notice a moment later that the first worker is gone.
  const isGoneOn = async () => {
    try {
      return await goOn();
    } catch (error) {
      if (error instanceof EngineError && error.code === 'locked') return null;
      throw error;
    }
  };
  let result = await isGoneOn();
  await expect.poll(async () => (result ??= await isGoneOn())).not.toBeNull();
  expect(result).toMatchObject({ failed: 0, notBegun: 0, stoppedBy: null, skipped: 0 });
  expect(result?.restored).toBe(before);
  expect(count()).toBe(2 * before);
  expect(await journals.list()).toEqual([]);
});
