import type { Testable } from '@keepwatch/connectors/base/manifest';
import { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { createConnection, deleteConnection, editConnection } from '@keepwatch/contract/connections/connections';
import { createSource, deleteSource, editSource } from '@keepwatch/contract/sources/sources';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSettings, type StoredSettings } from '../connections/connection-settings.ts';
import { row } from '../foundation/database.ts';
import { secretBox } from '../foundation/secrets.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { manifestOf, WrittenSource } from './intake.fixture.ts';

/** What happens while a vendor is tested with a key. */
let whileTested: (apiKey: string) => Promise<unknown>;
const manifest = {
  ...manifestOf(new WrittenSource()),
  open: ({ apiKey = '' }: Readonly<Record<string, string>>) =>
    Object.assign(new WrittenSource(), {
      test: async () => {
        await whileTested(apiKey);
        return { version: '1' };
      },
    }),
};
const kinds = { vac: { label: 'A console', load: async () => ({ manifest }) } };
const CONNECTORS = new Connectors<Ports & { accounting: Testable }>({
  'backup-source': { label: 'Backup source', kinds },
  accounting: { label: 'Accounting', kinds },
});

let portal: TestPortal;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { connectors: CONNECTORS });
  admin = await portal.as(['super-admin', 'admin']);
});
afterAll(() => portal.stop());
beforeEach(() => {
  whileTested = async () => {};
});

interface Edit {
  name?: string;
  settings: Record<string, string>;
}
const NEW = { name: 'New', settings: { url: 'https://one.test', apiKey: 'first' } };
const CALLS = {
  source: {
    create: () => admin.call(createSource, { body: { kind: 'vac', ...NEW } }),
    edit: (id: string, body: Edit) => admin.send(editSource, { params: { id }, body: { name: 'Edited', ...body } }),
    remove: (id: string) => admin.send(deleteSource, { params: { id } }),
  },
  connection: {
    create: () => admin.call(createConnection, { body: { port: 'accounting', kind: 'vac', ...NEW } }),
    edit: (id: string, body: Edit) => admin.send(editConnection, { params: { id }, body: { name: 'Edited', ...body } }),
    remove: (id: string) => admin.send(deleteConnection, { params: { id } }),
  },
};

async function stored(id: string) {
  const found = await row<StoredSettings & { name: string; isDeleted: boolean }>(
    portal.database,
    sql`select name, settings, secrets, deleted_at is not null as "isDeleted" from connections where id = ${id}`,
  );
  if (found === null) throw new Error('The connection was not stored.');
  const { name, isDeleted } = found;
  return { name, isDeleted, settings: openSettings(secretBox('secret of the tests'), { ...found, providerId: 1, id }) };
}

describe.each(['source', 'connection'] as const)('an edit of a %s', (noun) => {
  const { create, edit, remove } = CALLS[noun];
  const withKey = (apiKey: string): Edit => ({ settings: { ...NEW.settings, apiKey } });
  const renamed: Edit = { name: 'Renamed', settings: { url: NEW.settings.url } };

  it('404: does not bring back what was deleted while its new settings were tested', async () => {
    const { _id: id } = (await create()).data;
    const deletions: number[] = [];
    whileTested = async () => deletions.push((await remove(id)).status);
    const edited = await edit(id, withKey('second'));
    expect([deletions, edited.status]).toEqual([[200], 404]);
    expect(await stored(id)).toMatchObject({ isDeleted: true, settings: { url: 'https://one.test' } });
    expect((await stored(id)).settings).not.toHaveProperty('apiKey');
    expect((await remove(id)).status).toBe(404);
  });

  it('200: undoes nothing that was saved while its new settings were tested', async () => {
    const { _id: id } = (await create()).data;
    whileTested = () => edit(id, renamed);
    expect((await edit(id, withKey('second'))).status).toBe(200);
    expect(await stored(id)).toMatchObject({ settings: { apiKey: 'second' } });
  });

  it('200: does not put back an older key with a new name', async () => {
    const { _id: id } = (await create()).data;
    // The renaming has read the first key when the second is saved, and waits for the same row.
    const blocker = await portal.database.connect();
    await blocker.query('begin');
    await blocker.query('lock table audit_entries in exclusive mode');
    const changing = edit(id, withKey('second'));
    await expect.poll(waitingForLocks).toBe(1);
    const renaming = edit(id, renamed);
    await expect.poll(waitingForLocks).toBe(2);
    await blocker.query('rollback');
    blocker.release();
    expect([(await changing).status, (await renaming).status]).toEqual([200, 200]);
    expect(await stored(id)).toMatchObject({ name: 'Renamed', settings: { apiKey: 'second' } });
  });

  it('409: refuses new settings where others were saved while they were tested', async () => {
    const { _id: id } = (await create()).data;
    whileTested = async (apiKey) => {
      if (apiKey === 'second') await edit(id, withKey('third'));
    };
    const refused = await edit(id, withKey('second'));
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      `Another user has just changed the settings of this ${noun}. Open it again and repeat your change.`,
    ]);
    expect(await stored(id)).toMatchObject({ settings: { apiKey: 'third' } });
  });
});

async function waitingForLocks(): Promise<number> {
  const found = await row<{ count: number }>(
    portal.database,
    sql`select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return found?.count ?? 0;
}
