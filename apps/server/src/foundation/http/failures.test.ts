import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { execute, openPool, type Pool, transaction } from '../database.ts';

let portal: TestPortal;
let busy: Pool;

beforeAll(async () => {
  portal = await startTestPortal(async (server, database, databaseUrl) => {
    busy = openPool(databaseUrl, { connectionsMax: 1, statementTimeoutMs: 0, waitMs: 1_000, name: 'busy' });
    server.get('/no-connection', () => execute(busy, sql`select 1`));
    const gone = openPool('postgres://unknown@127.0.0.1:1/none', {
      connectionsMax: 1,
      statementTimeoutMs: 0,
      name: 'gone',
    });
    server.get('/no-database', () => execute(gone, sql`select 1`));
    server.get('/waiting', () =>
      transaction(database, async (connection) => {
        await execute(connection, sql`set local statement_timeout = 20`);
        await execute(connection, sql`select pg_sleep(60)`);
      }),
    );
    server.get('/mistaken', () => execute(database, sql`select secret from nowhere`));
  });
});
afterAll(async () => {
  await busy.end();
  await portal.stop();
});

describe('an unexpected error', () => {
  it('503: a statement that the database gave up may be tried again, and the reply says when', async () => {
    const response = await portal.anonymous.raw('GET', '/waiting');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await response.json()).toMatchObject({ success: false, code: 'BUSY' });
  });

  it('503: no connection of the pool became free in time', async () => {
    const held = await busy.connect();
    const response = await portal.anonymous.raw('GET', '/no-connection');
    held.release();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await response.json()).toMatchObject({ success: false, code: 'BUSY' });
    expect((await portal.anonymous.raw('GET', '/no-connection')).status).toBe(200);
  });

  it('503: a database that cannot be reached', async () => {
    const response = await portal.anonymous.raw('GET', '/no-database');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('500: a mistake of ours is answered with a number to ask for, and nothing of its cause', async () => {
    const response = await portal.anonymous.raw('GET', '/mistaken');
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL_ERROR', requestId: response.headers.get('x-request-id') });
    expect(text).not.toMatch(/secret|nowhere/);
  });
});
