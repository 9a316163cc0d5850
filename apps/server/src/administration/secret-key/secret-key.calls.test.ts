import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getSecretKey, removePreviousKey, rotateSecretKey } from '@keepwatch/contract/administration/secret-key';
import { findSecretQuestions } from '@keepwatch/contract/identity/secret-questions';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows, transaction } from '../../foundation/database.ts';
import { openSecretSource, removePreviousSecretFile, type SecretSource } from '../../foundation/installation-secret.ts';
import { openLog } from '../../foundation/log.ts';
import { newToken, type SecretBox, secretBox } from '../../foundation/secrets.ts';
import { forgetSecrets } from '../../program/secret-check.ts';
import { buildCompany } from '../../testing/builders.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { countSealed, resealSecrets, resealSecretsJob } from './reseal-secrets.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';
import { buildSealedConnection, buildSealedValues } from './testing/sealed-values.ts';

const CONFIRMED = { body: { confirmation: 'rotate' } } as const;
let dataDir: string;
let source: SecretSource;
let box: SecretBox;
let portal: TestPortal;
let owner: Caller;

beforeAll(async () => {
  dataDir = await makeTemporaryFolder('keepwatch-key-');
  source = await openSecretSource({ KEEPWATCH_SECRET: '', KEEPWATCH_PREVIOUS_SECRET: '', DATA_DIR: dataDir });
  box = secretBox(source.read);
  portal = await startTestPortal(undefined, { dataDir, isEmbedded: true, secretSource: source });
  owner = await portal.as('super-admin');
});
afterAll(() => portal.stop());
beforeEach(async () => {
  portal.clock.now = TEST_NOW;
  portal.sent.length = 0;
  await writeFile(join(dataDir, 'secret'), newToken());
  await removePreviousSecretFile(dataDir);
  await portal.database.query(
    'delete from connections; delete from authenticators; delete from restore_sign_ins; delete from m365_device_codes; ' +
      'delete from m365_applications; delete from m365_repositories; delete from idempotency_keys; delete from secret_check',
  );
  await buildSealedValues(portal.database, box, owner.userId);
});

const shown = async () => (await owner.call(getSecretKey, {})).data;

/** What the worker does. */
const reseal = (secrets = box) =>
  resealSecrets(
    { database: portal.database, secrets, now: () => TEST_NOW, log: openLog('silent', 'test') },
    new AbortController().signal,
  );

const fileOf = (name: string) => readFile(join(dataDir, name), 'utf8');

describe('the key of the stored secrets', () => {
  it('200: is shown by its id, with how much is sealed with it, and never itself', async () => {
    const reply = await (await owner.send(getSecretKey, {})).text();
    expect(JSON.parse(reply).data).toEqual({
      id: box.keys().current,
      origin: 'file',
      since: null,
      canRotate: true,
      values: SEALED_COLUMNS.length,
      lost: 0,
      previous: null,
    });
    expect(reply).not.toContain(await fileOf('secret'));
  });

  it('200: is a new one after a rotation, which everything is sealed with in the end', async () => {
    const before = { id: box.keys().current, secret: await fileOf('secret') };
    await owner.call(rotateSecretKey, CONFIRMED);
    expect(portal.sent.map(({ name }) => name)).toEqual([resealSecretsJob.name]);
    expect([await fileOf('secret.previous'), await fileOf('secret')]).toEqual([
      before.secret,
      expect.not.stringContaining(before.secret),
    ]);
    const values = SEALED_COLUMNS.length;
    const previous = { id: before.id, origin: 'file', values, isNeeded: true };
    expect(await shown()).toMatchObject({ since: TEST_NOW.toISOString(), values, lost: 0, previous });
    // What is stored now is sealed with the new one.
    await buildSealedConnection(portal.database, box);
    expect(await shown()).toMatchObject({ values: values + 1, previous: { values } });
    await reseal();
    expect(await shown()).toMatchObject({ values: values + 1, lost: 0, previous: { values: 0, isNeeded: false } });
    // With the new one alone each value opens in its place: sealed once more, it would be lost otherwise.
    const next = secretBox(() => ({ current: 'the next key', previous: source.read().current }));
    await reseal(next);
    expect(await countSealed(portal.database, next.keys())).toEqual({ all: values + 1, previous: 0, lost: 0 });
  });

  it('200: the previous one is deleted once nothing needs it; 409 before', async () => {
    const { current: before } = box.keys();
    await owner.call(rotateSecretKey, CONFIRMED);
    expect(await refusal(owner.send(removePreviousKey, {}))).toMatchObject({
      status: 409,
      message: `${SEALED_COLUMNS.length} stored secrets are still sealed with the previous key. Wait until there are none.`,
    });
    expect((await owner.send(rotateSecretKey, CONFIRMED)).status).toBe(409);
    await reseal();
    expect((await refusal(owner.send(removePreviousKey, {}))).message).toContain('Try again in a minute');
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    await owner.call(removePreviousKey, {});
    expect(existsSync(join(dataDir, 'secret.previous'))).toBe(false);
    expect((await shown()).previous).toBeNull();
    expect((await owner.send(removePreviousKey, {})).status).toBe(409);
    const { current } = box.keys();
    const entries = await rows<{ action: string; before: object; after: object | null }>(
      portal.database,
      sql`select action, before, after from audit_entries
          where before ->> 'id' = ${before} or after ->> 'id' = ${current}`,
    );
    const made = { action: 'secret-key.rotate', before: { id: before }, after: { id: current } };
    const removed = { action: 'secret-key.remove-previous', before: { id: before }, after: null };
    expect(entries.toSorted((one, other) => other.action.localeCompare(one.action))).toEqual([made, removed]);
  });

  it('200: of two rotations at once one is made, and nothing is lost', async () => {
    const replies = await Promise.all([owner.send(rotateSecretKey, CONFIRMED), owner.send(rotateSecretKey, CONFIRMED)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await reseal();
    expect(await shown()).toMatchObject({ lost: 0, previous: { values: 0, isNeeded: false } });
  });

  it('ends its rotation only after a value that was in use meanwhile', async () => {
    const id = await buildSealedConnection(portal.database, box);
    await owner.call(rotateSecretKey, CONFIRMED);
    await transaction(portal.database, async (connection) => {
      await execute(connection, sql`update connections set name = 'Renamed' where id = ${id}`);
      await reseal();
      expect(await shown()).toMatchObject({ previous: { values: 1, isNeeded: true } });
    });
    await reseal();
    expect(await shown()).toMatchObject({ lost: 0, previous: { values: 0, isNeeded: false } });
  });

  it('says how many values no key opens, and ends its rotation nevertheless', async () => {
    await buildSealedConnection(portal.database, secretBox('a key that is lost'));
    expect((await shown()).lost).toBe(1);
    // As versions sealed that did not name the key.
    const withoutId = sql`set secrets = '\\x01'::bytea || substring(secrets from 10)`;
    await execute(portal.database, sql`update connections ${withoutId}`);
    expect((await shown()).lost).toBe(0);
    await owner.call(rotateSecretKey, CONFIRMED);
    await reseal();
    expect(await shown()).toMatchObject({ lost: 1, previous: { values: 0, isNeeded: false } });
  });

  it('is forgotten with everything that it has sealed, where it is lost', async () => {
    await forgetSecrets(portal.database);
    expect(await countSealed(portal.database, box.keys())).toEqual({ all: 0, previous: 0, lost: 0 });
  });

  it('200: changes nothing of the questions for a user name that does not exist', async () => {
    const asked = async () =>
      (await portal.anonymous.call(findSecretQuestions, { params: { username: 'no-such-name' } })).data;
    const before = await asked();
    await owner.call(rotateSecretKey, CONFIRMED);
    expect(await asked()).toEqual(before);
    // Also with the new key alone.
    await reseal();
    await removePreviousSecretFile(dataDir);
    expect(await asked()).toEqual(before);
  });

  it('403: is for those who run the installation alone; 422: needs a word', async () => {
    const other = await portal.as('super-admin', { providerId: 2 });
    const limited = await portal.as('super-admin', { companyIds: [await buildCompany(portal.database)] });
    for (const caller of [other, limited]) {
      expect((await caller.send(getSecretKey, {})).status).toBe(403);
      expect((await caller.send(rotateSecretKey, CONFIRMED)).status).toBe(403);
      expect((await caller.send(removePreviousKey, {})).status).toBe(403);
    }
    const body = JSON.stringify({ confirmation: 'yes' });
    expect((await owner.raw('POST', '/api/admin/secret-key/rotate', { body })).status).toBe(422);
  });
});

describe('a key that the environment gives', () => {
  it('409: is rotated by settings, and the previous one is removed there', async () => {
    await writeFile(join(dataDir, 'secret.previous'), 'not looked at');
    const given = await openSecretSource({
      KEEPWATCH_SECRET: 'the new key',
      KEEPWATCH_PREVIOUS_SECRET: source.read().current,
      DATA_DIR: dataDir,
    });
    const elsewhere = await startTestPortal(undefined, { dataDir, isEmbedded: true, secretSource: given });
    try {
      const caller = await elsewhere.as('super-admin');
      const { data } = await caller.call(getSecretKey, {});
      expect(data).toMatchObject({ origin: 'environment', canRotate: false, previous: { origin: 'environment' } });
      expect(await refusal(caller.send(rotateSecretKey, CONFIRMED))).toMatchObject({
        status: 409,
        message: expect.stringContaining('KEEPWATCH_PREVIOUS_SECRET'),
      });
      expect(await refusal(caller.send(removePreviousKey, {}))).toMatchObject({
        status: 409,
        message: expect.stringContaining('remove KEEPWATCH_PREVIOUS_SECRET'),
      });
    } finally {
      await elsewhere.stop();
    }
  });
});
