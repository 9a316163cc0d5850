import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { testContext } from '../testing/context.ts';
import { partialFaultPromises, waitingPromises, wholeFaultPromises } from './backup-source-faults.suite.ts';
import { executionPromises, listingPromises } from './backup-source-listing.suite.ts';
import { settingsPromises } from './backup-source-settings.suite.ts';
import type { Harness, Subject } from './backup-source-subject.ts';

/** Runs the promises of `BackupSource` against a vendor. */
export function backupSourceSuite(name: string, start: () => Promise<Harness>): void {
  describe(`${name} as a backup source`, () => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await start();
    });
    afterEach(() => harness.setFault(null));
    afterAll(() => harness.stop());

    const subject: Subject = {
      harness: () => harness,
      open: (wrong = {}, context = testContext()) => harness.manifest.open({ ...harness.settings, ...wrong }, context),
      setFault: (fault) => harness.setFault(fault),
    };
    settingsPromises(subject);
    listingPromises(subject);
    executionPromises(subject);
    partialFaultPromises(subject);
    waitingPromises(subject);
    wholeFaultPromises(subject);
  });
}
