import type { Testable } from '@keepwatch/connectors/base/manifest';
import { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openLog } from '../foundation/log.ts';
import { secretBox } from '../foundation/secrets.ts';
import { buildConnection } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { checkUnusedConnections } from './check-unused.ts';

/** Connections that are being tested, by name, in the order in which they began; each ends when the test says so. */
const begun: { name: string; signal: AbortSignal; end: () => void }[] = [];
const CONNECTORS = new Connectors<Ports & { accounting: Testable }>({
  accounting: {
    label: 'Accounting',
    kinds: {
      books: {
        label: 'Books',
        load: async () => ({ manifest: { kind: 'books', label: 'Books', settings: [], open: opened } }),
      },
    },
  },
});

function opened({ name = '' }: Readonly<Record<string, string>>): Testable {
  return {
    test: (signal) =>
      new Promise((resolve, reject) => {
        begun.push({ name, signal, end: () => resolve({ version: '1' }) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
}

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { connectors: CONNECTORS });
});
afterAll(() => portal.stop());
beforeEach(async () => {
  begun.length = 0;
  await portal.database.query('delete from connections');
});

/** Connections of one name each, tested so many days ago; `null`: never. */
async function build(tested: Readonly<Record<string, number | null>>): Promise<void> {
  for (const [name, days] of Object.entries(tested)) {
    const id = await buildConnection(portal.database, { port: 'accounting', kind: 'books' });
    const at = days === null ? null : new Date(TEST_NOW.getTime() - days * 86_400_000);
    await portal.database.query(
      "update connections set settings = $2, health = 'ok', health_checked_at = $3 where id = $1",
      [id, { name }, at],
    );
  }
}

function check(signal = new AbortController().signal): Promise<void> {
  const services = {
    database: portal.database,
    log: openLog('silent', 'test'),
    now: () => TEST_NOW,
    secrets: secretBox('secret of the tests'),
    connectors: CONNECTORS,
    allowPrivateAddresses: true,
  };
  return checkUnusedConnections(services, signal);
}

it('tests a few unused connections at once, those first that were tested longest ago', async () => {
  await build({ recent: 2, old: 9, never: null, older: 10, latest: 1, 'of today': 0 });
  const checking = check();
  await expect.poll(() => begun.map(({ name }) => name)).toEqual(['never', 'older', 'old', 'recent']);
  begun[1]?.end();
  await expect.poll(() => begun.map(({ name }) => name)).toEqual(['never', 'older', 'old', 'recent', 'latest']);
  for (const { end } of begun) end();
  await checking;
  expect(begun).toHaveLength(5);
});

it('stops at once with the worker, and records nothing about what it has not tested to the end', async () => {
  await build({ one: 3, two: 3, three: 3, four: 3, five: 3 });
  const stopped = new AbortController();
  const checking = check(stopped.signal);
  await expect.poll(() => begun.length).toBe(4);
  stopped.abort();
  await checking;
  expect(begun).toHaveLength(4);
  const { rows } = await portal.database.query('select distinct health from connections');
  expect(rows).toEqual([{ health: 'ok' }]);
});
