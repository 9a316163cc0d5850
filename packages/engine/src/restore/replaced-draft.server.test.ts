import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { textOf } from '../source/graph/json.ts';
import { SINGLE } from '../source/graph/mailbox/mailbox-paths.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { mailboxOf } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { journalFile } from './journal-files.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS } from './restore-options.ts';
import { KILLED } from './testing/memory-mailbox.ts';

const signal = new AbortController().signal;
const headers = SINGLE;
let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
let object: ProtectedObject;
let draft: string;

beforeEach(async () => {
  stored = await StoredBackup.create();
  ({ tenant, connection } = await startConnected({ budgets: false }));
  object = await mailboxOf(openGraphSource(connection));
  const body = { subject: 'Contract', body: { contentType: 'text', content: 'the GOOD text' } };
  const made = await connection.ask({ method: 'POST', path: `/users/${object.id}/messages`, headers, body });
  draft = textOf(made['id']) ?? '';
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

/** Backs the mailbox up, and lets a person edit the draft afterwards. */
async function backedUpAndEdited(keepExchangeStream: boolean): Promise<void> {
  const source = openGraphSource(connection, { keepExchangeStream });
  await stored.backUpOnly(source, [object]);
  // Times of changes are given in whole seconds.
  tenant.advance(2_000);
  const path = `/users/${object.id}/messages/${encodeURIComponent(draft)}`;
  await connection.ask({
    method: 'PATCH',
    path,
    headers,
    body: { body: { contentType: 'text', content: 'DESTROYED' } },
  });
}

async function replaced(over: GraphConnection) {
  const found = await stored.catalog.object(stored.repository.objectKey(object));
  if (found === null) throw new Error('The mailbox was not stored.');
  const target = openGraphTarget(over).mailbox({ kind: 'mailbox', id: object.id });
  return restore(
    { repository: stored.repository, catalog: stored.catalog, signal, journals: journalFile(journalPath) },
    {
      scope: { object: found, revision: found.revision, items: [draft] },
      options: { ...RESTORE_OPTIONS, conflict: 'replace' },
      to: object.id,
      place: (paths, until) => new MailboxPlace(target, paths, null, until),
    },
  );
}

let journalPath: string;
beforeEach(() => {
  journalPath = stored.file('restore.jsonl');
});

/** What every message of that subject says. */
async function texts(): Promise<string[]> {
  const path = `/users/${object.id}/messages?$filter=subject eq 'Contract'&$select=body`;
  const { value } = await connection.page({ path, headers });
  return value.map(({ body }) => textOf(Object(body).content)?.trim() ?? '').sort();
}

test.each([false, true])('a draft that was edited becomes what was stored, with an import: %s', async (keeps) => {
  await backedUpAndEdited(keeps);
  expect(await texts()).toEqual(['DESTROYED']);
  expect(await replaced(connection)).toMatchObject({ outcome: 'Success', replaced: 1, failed: 0, losses: {} });
  expect(await texts()).toEqual(['the GOOD text']);
});

test.each([false, true])(
  'killed before the other goes, both are there, and the next run mends it: %s',
  async (keeps) => {
    await backedUpAndEdited(keeps);
    const dies: GraphConnection = Object.assign(Object.create(connection), {
      ask: (call: Parameters<GraphConnection['ask']>[0]) =>
        call.method === 'DELETE' ? Promise.reject(KILLED) : connection.ask(call),
    });
    await expect(replaced(dies)).rejects.toBe(KILLED);
    expect(await texts()).toEqual(['DESTROYED', 'the GOOD text']);
    expect(await replaced(connection)).toMatchObject({ outcome: 'Success', replaced: 1, failed: 0 });
    expect(await texts()).toEqual(['the GOOD text']);
  },
);
