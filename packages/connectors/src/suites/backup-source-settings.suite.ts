import { describe, expect, it } from 'vitest';
import { quiet } from '../testing/context.ts';
import type { Subject } from './backup-source-subject.ts';

/** What the call that tests the settings promises. */
export function settingsPromises(subject: Subject): void {
  describe('testing the settings', () => {
    it('answers the version when they are right', async () => {
      expect((await subject.open().test(quiet())).version).toMatch(/\d/);
    });

    it.each([
      ['wrong-credentials', 'credentials'],
      ['not-reachable', 'thumbprint'],
      ['not-reachable', 'address'],
    ] as const)('answers %s when the %s is wrong, without a secret in the message', async (kind, field) => {
      const error = await subject
        .open(subject.harness().wrong[field])
        .test(quiet())
        .then(unexpectedly, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: expect.stringMatching(/Error$/), kind });
      for (const secret of [...subject.harness().secrets, ...Object.values(subject.harness().wrong.credentials)]) {
        expect(String(error)).not.toContain(secret);
      }
    });

    it('answers wrong-version when something else answers there', async () => {
      subject.setFault({ kind: 'garbage' });
      await expect(subject.open().test(quiet())).rejects.toMatchObject({ kind: 'wrong-version' });
    });
  });
}

function unexpectedly(): never {
  throw new Error('the settings were accepted');
}
