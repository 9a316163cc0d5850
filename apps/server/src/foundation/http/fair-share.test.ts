import { tmpdir } from 'node:os';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getProfile, signIn } from '@keepwatch/contract/identity/sessions';
import { listIntakeTokens } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, PASSWORD, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { openPool, type Pool, row } from '../database.ts';
import { openMetrics } from '../metrics.ts';
import { addHealth } from './health.ts';

/** What one user may have at work and waiting (request-places.ts); a list is its rows and its count. */
const [LISTS_OF_USER, WAITING_OF_USER, QUERIES_OF_LIST] = [2, 60, 2];

let portal: TestPortal;
let greedy: Caller;
let other: Caller;
let colleague: Caller;
/** Beside the pool of the portal. */
let beside: Pool;

beforeAll(async () => {
  portal = await startTestPortal(async (server, database) => {
    const queue = { isAnswering: async () => true, send: async () => {} };
    addHealth(server, { database, queue, metrics: openMetrics('test'), metricsToken: '', dataDir: tmpdir() });
  });
  greedy = await portal.as('operator');
  other = await portal.as('admin', { providerId: 2 });
  colleague = await portal.as('operator');
  beside = openPool(portal.databaseUrl, { connectionsMax: 2, statementTimeoutMs: 0, name: 'beside' });
});
afterAll(async () => {
  await beside.end();
  await portal.stop();
});

/** Lets every list of executions wait for a lock while `work` is done, as if it were a very heavy one. */
async function whileListsWait<T>(work: () => Promise<T>): Promise<T> {
  const client = await beside.connect();
  await client.query('begin; lock table job_executions in access exclusive mode');
  try {
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function waitingQueries(): Promise<number> {
  const found = await row<{ count: number }>(
    beside,
    sql`select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return found?.count ?? 0;
}

describe('300 heavy lists of one user', () => {
  it('wait or are refused with 503, and leave the portal to all others', async () => {
    let lists: Promise<Response[]> = Promise.resolve([]);
    await whileListsWait(async () => {
      lists = Promise.all(Array.from({ length: 300 }, () => greedy.send(listJobExecutions, { query: {} })));
      await expect.poll(waitingQueries).toBe(LISTS_OF_USER * QUERIES_OF_LIST);
      const others = [
        await other.send(listIntakeTokens, { query: {} }),
        await other.send(getProfile, { params: { id: other.userId } }),
        await portal.anonymous.send(signIn, { body: { username: colleague.username, password: PASSWORD } }),
        await colleague.send(getProfile, { params: { id: colleague.userId } }),
        await portal.anonymous.raw('GET', '/healthz'),
        await portal.anonymous.raw('GET', '/readyz'),
      ];
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await waitingQueries()).toBe(LISTS_OF_USER * QUERIES_OF_LIST);
    });
    const replies = await lists;
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(503)]).toEqual([LISTS_OF_USER + WAITING_OF_USER, 300 - LISTS_OF_USER - WAITING_OF_USER]);
    const refused = replies.find(({ status }) => status === 503);
    expect(refused?.headers.get('retry-after')).toBe('5');
    expect(await refused?.json()).toMatchObject({ success: false, code: 'BUSY' });
  });

  it('are cancelled, or not begun, when their caller goes away', async () => {
    await whileListsWait(async () => {
      const gone = new AbortController();
      const path = `${portal.url}/api${listJobExecutions.path}`;
      const headers = { authorization: `Bearer ${greedy.token}` };
      const lists = Array.from({ length: 20 }, () => fetch(path, { headers, signal: gone.signal }));
      await expect.poll(waitingQueries).toBe(LISTS_OF_USER * QUERIES_OF_LIST);
      gone.abort();
      const ended = await Promise.allSettled(lists);
      expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
      // The lock is still held: whatever was begun would wait for it.
      await expect.poll(waitingQueries).toBe(0);
      expect((await greedy.send(getProfile, { params: { id: greedy.userId } })).status).toBe(200);
      expect(await waitingQueries()).toBe(0);
    });
  });
});
