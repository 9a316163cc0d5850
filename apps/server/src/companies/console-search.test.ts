import { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { listCompanies, listConsoleCompanies } from '@keepwatch/contract/companies/companies';
import { checkConnection, testConnection } from '@keepwatch/contract/connections/connections';
import { getProfile } from '@keepwatch/contract/identity/sessions';
import { testSource } from '@keepwatch/contract/sources/sources';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifestOf, WrittenSource } from '../sources/intake.fixture.ts';
import { buildConnection } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

/** What waits for the console that never answers. */
let waiting = 0;

function unanswered(signal: AbortSignal): Promise<never> {
  waiting += 1;
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      waiting -= 1;
      reject(signal.reason);
    });
  });
}

const SILENT = Object.assign(new WrittenSource(), {
  test: unanswered,
  // biome-ignore lint/correctness/useYield: it never answers
  async *listCompanies(signal: AbortSignal) {
    await unanswered(signal);
  },
});
const CONNECTORS = new Connectors<Ports>({
  'backup-source': {
    label: 'Backup source',
    kinds: { vac: { label: 'A console', load: async () => ({ manifest: manifestOf(SILENT) }) } },
  },
});
const GIVEN = { kind: 'vac', settings: { url: 'https://silent.test', apiKey: 'x' } };

let portal: TestPortal;
let user: Caller;
let consoleId: string;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { connectors: CONNECTORS });
  user = await portal.as(['super-admin', 'admin']);
  consoleId = await buildConnection(portal.database);
});
afterAll(() => portal.stop());
beforeEach(() => expect.poll(() => waiting).toBe(0));

/** Sends a request that its caller gives up when `gone` is aborted. */
function ask(method: string, path: string, gone: AbortSignal, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' };
  const sent = fetch(`${portal.url}/api${path}`, {
    method,
    headers,
    signal: gone,
    body: body ? JSON.stringify(body) : null,
  });
  return sent.then(
    ({ status }) => status,
    () => 0,
  );
}

function search(name: string, gone: AbortSignal): Promise<number> {
  return ask('GET', `${listConsoleCompanies.path}?name=${name}`, gone);
}

/** Calls that the user makes meanwhile. */
async function others(): Promise<number[]> {
  const calls = Array.from({ length: 5 }, () => user.send(getProfile, { params: { id: user.userId } }));
  return (await Promise.all([...calls, user.send(listCompanies, {})])).map(({ status }) => status);
}

describe('a console that never answers', () => {
  it('stops being searched when a user who types no longer waits for it', async () => {
    for (const typed of ['Ha', 'Har', 'Harb', 'Harbo', 'Harbou', 'Harbour']) {
      const gone = new AbortController();
      const searching = search(typed, gone.signal);
      await expect.poll(() => waiting).toBe(1);
      gone.abort();
      await searching;
      await expect.poll(() => waiting).toBe(0);
    }
  });

  it.each([
    ['searches', (gone: AbortSignal) => search('Harbour', gone)],
    ['tests of a source', (gone: AbortSignal) => ask('POST', testSource.path, gone, GIVEN)],
    [
      'tests of a connection',
      (gone: AbortSignal) => ask('POST', testConnection.path, gone, { port: 'backup-source', ...GIVEN }),
    ],
    [
      'checks of a connection',
      (gone: AbortSignal) => ask('POST', checkConnection.path.replace('{id}', consoleId), gone),
    ],
  ])('leaves the portal to all other calls of a user who waits for %s', async (_, wait) => {
    const gone = new AbortController();
    const waits = Array.from({ length: 4 }, () => wait(gone.signal));
    await expect.poll(() => waiting).toBe(4);
    expect(await others()).toEqual([200, 200, 200, 200, 200, 200]);
    expect(waiting).toBe(4);
    gone.abort();
    await Promise.all(waits);
    await expect.poll(() => waiting).toBe(0);
  });

  it('is not searched for less than two characters', async () => {
    for (const query of [{}, { name: 'H' }, { name: ' H ' }])
      expect((await user.send(listConsoleCompanies, { query })).status).toBe(422);
    expect(waiting).toBe(0);
  });

  it('bounds what one user waits for', async () => {
    const gone = new AbortController();
    const waits = Array.from({ length: 8 }, () => search('Harbour', gone.signal));
    await expect.poll(() => waiting).toBe(4);
    expect(await others()).toEqual([200, 200, 200, 200, 200, 200]);
    expect(waiting).toBe(4);
    gone.abort();
    await Promise.all(waits);
  });
});
