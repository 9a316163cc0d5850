import { expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { openStore } from '../engine.ts';
import { startVersioningS3 } from '../store/s3/versioning-s3.fixture.ts';
import { connectTo } from '../testing/graph/graph-tenant.ts';
import { ThreeProcesses } from './testing/processes/three-processes.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

/** KILL_SEED repeats the draws of a run, PROCESS_ROUNDS says how many rounds: each takes about ten seconds. */
const SEED = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const roundsOf = (usual: number) => Number(process.env['PROCESS_ROUNDS'] ?? tries(usual, 20));

interface Place {
  environment: Record<string, string>;
  stop(): Promise<void>;
}

const PLACES: Record<string, (folder: string) => Promise<Place>> = {
  folder: async (folder) => ({ environment: { KEEPWATCH_REPOSITORY: folder }, stop: async () => undefined }),
  bucket: async () => {
    const { endpoint, stop } = await startVersioningS3();
    const keys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    return { environment: { KEEPWATCH_REPOSITORY: `s3://bucket/contoso?endpoint=${endpoint}`, ...keys }, stop };
  },
};

test.each([
  ['folder', roundsOf(2)],
  ['bucket', roundsOf(1)],
])(
  'backup, prune and restore at once in a %s, killed, with wrong clocks, damage and earlier copies in between: nothing is lost unnamed, doubled, or a success that is none',
  async (kind, rounds) => {
    const { tenant, database, commandLine, close } = await openTenantCommandLine();
    const place = await PLACES[kind]?.(commandLine.repository);
    if (place === undefined) throw new Error(`There is no ${kind}.`);
    const [from = '', to = ''] = ['soren', 'misaki'].map(
      (name) => tenant.tenant.directory.users.find(({ mail }) => mail?.startsWith(name))?.mail ?? '',
    );
    const { environment } = place;
    const store = await openStore(environment['KEEPWATCH_REPOSITORY'] ?? '', environment);
    const parts = {
      connection: connectTo(tenant),
      commandLine,
      environment,
      store,
      database: database.url,
      seed: SEED,
    };
    const bed = await ThreeProcesses.open(parts, from, to);
    try {
      for (let round = 0; round < rounds; round += 1) await bed.round();
      await bed.end();
      const { killedBackups, killedPrunes, killedRestores, endedBackups, endedPrunes, endedRestores } = bed.counts;
      expect(bed.counts.rounds).toBe(rounds);
      expect(killedBackups + killedPrunes + killedRestores, 'kills').toBeGreaterThan(0);
      for (const [work, ends] of Object.entries({ endedBackups, endedPrunes, endedRestores }))
        expect(ends, work).toBeGreaterThan(0);
    } catch (error) {
      console.log(bed.story.slice(-40).join('\n'));
      throw error;
    } finally {
      console.log(`${kind}: ${bed.summary()}`);
      await store.close();
      await close();
      await place.stop();
    }
  },
  3_600_000,
);
