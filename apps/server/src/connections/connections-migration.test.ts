import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createDatabase } from '@keepwatch/embedded-database/testing/test-cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { secretBox } from '../foundation/secrets.ts';
import { openSettings, sealSettings } from './connection-settings.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const OWN = '0014_connections.sql';
const FIRST = randomUUID();
const SECOND = randomUUID();
const REMOVED = randomUUID();
const box = secretBox('secret of the tests');
const fields = [{ name: 'apiKey', label: 'API key', hint: '', kind: 'secret', isRequired: true }] as const;

let client: pg.Client;
let drop: () => Promise<void>;

/** A database as the version before left it: three consoles, of which one is removed, and the intake. */
beforeAll(async () => {
  const database = await createDatabase(inject('clusterUrl'), { template: 'template0' });
  drop = database.drop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  for (const file of files.slice(0, files.indexOf(OWN))) await run(file);
  await client.query(`insert into providers (id, name, domain) values (1, 'One', 'one.test')`);
  const { secrets } = sealSettings(box, { providerId: 1, id: FIRST }, fields, { apiKey: 'key of the first' });
  await client.query(
    `insert into sources (provider_id, id, kind, name, settings, secrets, created_at, deleted_at) values
       (1, $1, 'vac', 'First', '{"url": "https://first.test"}', $4, '2026-01-01', null),
       (1, $2, 'vac', 'Second', '{}', null, '2026-02-01', null),
       (1, $3, 'vac', 'Removed', '{}', null, '2025-01-01', '2025-02-01'),
       (1, gen_random_uuid(), 'intake', 'Tools', '{}', null, '2026-01-01', null)`,
    [FIRST, SECOND, REMOVED, secrets],
  );
  await client.query(
    `insert into companies (provider_id, id, name, vac_id) values (1, gen_random_uuid(), 'Of the second', 'b'),
       (1, gen_random_uuid(), 'Of both', 'c'), (1, gen_random_uuid(), 'Without jobs', 'd'), (1, gen_random_uuid(), 'By hand', null)`,
  );
  await client.query(
    `insert into jobs (provider_id, job_instance_uid, source_id, external_id, source_group, name, company_id)
     select 1, gen_random_uuid(), s.id, c.name, 'managed-servers', 'Nightly', c.id from companies c join sources s
       on s.name = 'Second' and c.vac_id in ('b', 'c') or s.name = 'First' and c.vac_id = 'c'`,
  );
  await run(OWN);
});
afterAll(async () => {
  await client.end();
  await drop();
});

async function run(file: string): Promise<void> {
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  for (const statement of text.split('--> statement-breakpoint')) await client.query(statement);
}

it('moves consoles, whose secrets still open, and no intake', async () => {
  const { rows } = await client.query(
    'select provider_id as "providerId", id, name, port, settings, secrets from connections order by name',
  );
  expect(rows.map(({ name, port }) => [name, port])).toEqual([
    ['First', 'backup-source'],
    ['Removed', 'backup-source'],
    ['Second', 'backup-source'],
  ]);
  expect(openSettings(box, rows[0])).toEqual({ url: 'https://first.test', apiKey: 'key of the first' });
  expect((await client.query('select from sources')).rowCount).toBe(4);
});

it('links each company to the consoles that have a job of it, otherwise to the one connected longest', async () => {
  const { rows } = await client.query(
    `select c.name as company, n.name as console, l.external_id from company_links l
       join companies c on c.id = l.company_id join connections n on n.id = l.connection_id order by 1, 2`,
  );
  expect(rows).toEqual([
    { company: 'Of both', console: 'First', external_id: 'c' },
    { company: 'Of both', console: 'Second', external_id: 'c' },
    { company: 'Of the second', console: 'Second', external_id: 'b' },
    { company: 'Without jobs', console: 'First', external_id: 'd' },
  ]);
});
