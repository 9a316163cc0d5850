import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSettings } from '../connections/connection-settings.ts';
import { newId, secretBox } from '../foundation/secrets.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { manifestOf, WrittenSource } from './intake.fixture.ts';
import { removeSource } from './sources.ts';
import { storeSource } from './store-source.ts';
import { findStoredSource } from './stored-source.ts';

const box = secretBox('secret of the tests');
const { settings: fields } = manifestOf(new WrittenSource());

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

function keep(id: string, url: string): Promise<void> {
  const settings = { url, apiKey: `key of ${url}` };
  const source = { providerId: 1, id, kind: 'vac', name: 'Sandbox console', settings, syncIntervalMinutes: 5 };
  return storeSource(portal.database, box, fields, source, TEST_NOW);
}

async function stored(id: string): Promise<Readonly<Record<string, string>> | null> {
  const source = await findStoredSource(portal.database, id);
  return source === null ? null : openSettings(box, source);
}

it('connects a source the first time and updates its settings later', async () => {
  const id = newId();
  await keep(id, 'https://one.test');
  expect(await stored(id)).toEqual({ url: 'https://one.test', apiKey: 'key of https://one.test' });
  await keep(id, 'https://two.test');
  expect(await stored(id)).toEqual({ url: 'https://two.test', apiKey: 'key of https://two.test' });
});

it('reconnects a disconnected source', async () => {
  const id = newId();
  await keep(id, 'https://one.test');
  await removeSource(portal.database, 1, id, TEST_NOW);
  expect(await stored(id)).toBeNull();
  await keep(id, 'https://one.test');
  expect(await stored(id)).toEqual({ url: 'https://one.test', apiKey: 'key of https://one.test' });
});
