import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clusterSettings, settingArguments } from './cluster-settings.ts';
import { openCluster } from './open-cluster.ts';
import { readPostmasterFile, startPostmaster, stopPostmaster } from './postmaster.ts';
import { testFolder } from './test-folder.fixture.ts';

const quiet = () => undefined;

async function cluster() {
  const { programs } = await openCluster({ dataDir: await testFolder(), durable: false, log: quiet });
  return programs;
}

function settingsOn(port: number): string[] {
  const conditions = {
    memoryBytes: 2 ** 30,
    databaseBytes: 0,
    port,
    durable: false,
    clusterName: 'keepwatch-postmaster-test',
  };
  return settingArguments(clusterSettings(conditions));
}

/** A port that another program listens on. */
async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test got no port');
  return address.port;
}

test('says that the port is in use, so that another one can be tried', async () => {
  const programs = await cluster();
  const started = startPostmaster(programs, settingsOn(await portInUse()), quiet);
  await expect(started).rejects.toThrow(/PostgreSQL could not start on .*address already in use/i);
  expect(await readPostmasterFile(programs.cluster)).toBeUndefined();
});

test("repeats the server's own words when it refuses a setting", async () => {
  const programs = await cluster();
  const started = startPostmaster(programs, ['-c', 'max_connections=none'], quiet);
  await expect(started).rejects.toThrow(/invalid value for parameter "max_connections"/);
});

test('says so when the server cannot be run at all', async () => {
  const programs = await cluster();
  const missing = { ...programs, binaries: { ...programs.binaries, postgres: '/nowhere/postgres' } };
  await expect(startPostmaster(missing, [], quiet)).rejects.toThrow(/ENOENT/);
});

test('stopping what does not run is no error', async () => {
  const programs = await cluster();
  await expect(stopPostmaster(programs, 5)).resolves.toBeUndefined();
  await expect(stopPostmaster({ ...programs, cluster: join(programs.cluster, 'lacking') }, 5)).resolves.toBeUndefined();
});
