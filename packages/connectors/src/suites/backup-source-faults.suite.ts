import { describe, expect, it } from 'vitest';
import { quiet, testContext } from '../testing/context.ts';
import type { Subject } from './backup-source-subject.ts';
import { companyIds, drain } from './backup-source-subject.ts';

/** What applies when a part of a reply is wrong. */
export function partialFaultPromises(subject: Subject): void {
  describe('when a part goes wrong', () => {
    it('lists an entity that cannot be read with its reason, and goes on with the rest', async () => {
      const all = await companyIds(subject.open());
      subject.setFault({ kind: 'bad-entity' });
      const { values, failed } = await drain(subject.open().listCompanies(quiet()));
      expect(failed.length).toBeGreaterThan(0);
      expect(failed[0]).toMatchObject({ entity: 'company', reason: expect.stringMatching(/\w/) });
      expect(values.length + failed.length).toBe(all.length);
    });

    it('reads a list to its end though every page comes short', async () => {
      const all = await companyIds(subject.open());
      subject.setFault({ kind: 'half-page' });
      expect((await companyIds(subject.open())).sort()).toEqual(all.sort());
    });
  });
}

/** What applies when the vendor asks for patience, or shows none. */
export function waitingPromises(subject: Subject): void {
  describe('when it takes long', () => {
    it('waits exactly as long as the vendor says, and then has everything', async () => {
      const all = await companyIds(subject.open());
      subject.setFault({ kind: 'throttle', retryAfterSeconds: 17, times: 1 });
      const context = testContext();
      expect((await companyIds(subject.open({}, context))).sort()).toEqual(all.sort());
      expect(context.waits).toEqual([17_000]);
    });

    it('does not wait for ever, but says when to come back', async () => {
      subject.setFault({ kind: 'throttle', retryAfterSeconds: 3600, times: 100 });
      await expect(companyIds(subject.open())).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: 3_600_000 });
    });

    it('ends at the time limit when the vendor hangs', async () => {
      subject.setFault({ kind: 'hang' });
      const context = testContext({ limits: { requestTimeoutMs: 100 } });
      await expect(companyIds(subject.open({}, context))).rejects.toMatchObject({ kind: 'not-reachable' });
    });

    it('ends at once when it is aborted, with the reason given', async () => {
      subject.setFault({ kind: 'hang' });
      const stop = new AbortController();
      const reason = new Error('the program is stopping');
      const work = drain(subject.open().listCompanies(stop.signal));
      stop.abort(reason);
      await expect(work).rejects.toBe(reason);
    });
  });
}

/** What applies when nothing useful comes. */
export function wholeFaultPromises(subject: Subject): void {
  describe('when all goes wrong', () => {
    it('gives up on garbage as a bad reply', async () => {
      subject.setFault({ kind: 'garbage' });
      await expect(companyIds(subject.open())).rejects.toMatchObject({ kind: 'bad-reply' });
    });

    it('gives up on a vendor that sends the same page for ever', async () => {
      subject.setFault({ kind: 'same-page' });
      const jobs = drain(subject.open().listJobs('managed-servers', quiet()));
      await expect(jobs).rejects.toMatchObject({ kind: 'bad-reply' });
    });

    it('gives up on a reply that is too large', async () => {
      const context = testContext({ limits: { responseSizeBytesMax: 2000 } });
      await expect(companyIds(subject.open({}, context))).rejects.toMatchObject({ kind: 'bad-reply' });
    });

    it('gives up on a connection that is cut every time, after asking again', async () => {
      subject.setFault({ kind: 'cut' });
      const context = testContext();
      await expect(companyIds(subject.open({}, context))).rejects.toMatchObject({ kind: 'not-reachable' });
      expect(context.waits.length).toBeGreaterThan(0);
    });

    it('refuses addresses of this machine unless they are allowed', async () => {
      const context = testContext({ allowPrivateAddresses: false });
      await expect(subject.open({}, context).test(quiet())).rejects.toMatchObject({ kind: 'not-reachable' });
    });

    it('writes no secret into the log', async () => {
      const context = testContext();
      subject.setFault({ kind: 'throttle', retryAfterSeconds: 1, times: 1 });
      await subject.open({}, context).test(quiet());
      await companyIds(subject.open({}, context));
      expect(context.logged()).not.toBe('');
      for (const secret of subject.harness().secrets) expect(context.logged()).not.toContain(secret);
    });
  });
}
