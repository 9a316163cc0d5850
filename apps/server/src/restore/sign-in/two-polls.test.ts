import { confirmRestoreCode, requestRestoreCode } from '@keepwatch/contract/restore/sessions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

let bed: RestoreBed;
beforeAll(async () => {
  bed = await startRestoreBed({ users: 1 });
});
afterAll(() => bed.stop());

it('asks Microsoft once for a code that is confirmed from two windows at the same time, and answers both in the end', async () => {
  const caller = await bed.as('o365_admin');
  const where = { organizationId: bed.organization.id, companyId: bed.organization.companyId };
  const { userCode } = (await caller.call(requestRestoreCode, { body: where })).data;
  const [secret = ''] = [...bed.signIns.keys()];
  const person = {
    accountId: 'a',
    account: 'admin@contoso.test',
    isAdministrator: true,
    token: 'token',
    expiresAt: new Date(Date.now() + 3_600_000),
  };
  bed.signIns.set(secret, person);
  // Microsoft gives the token of a code out once: it is expired for who asks after that.
  let asked = 0;
  const release = Promise.withResolvers<void>();
  const redeem = bed.services.signIn.redeem;
  bed.services.signIn.redeem = async (...given) => {
    asked += 1;
    const found = await redeem(...given);
    bed.signIns.set(secret, 'pending');
    if (asked === 1) await release.promise;
    return found;
  };
  const confirm = () => caller.send(confirmRestoreCode, { body: { ...where, userCode } });
  const first = confirm();
  await expect.poll(() => asked).toBe(1);
  expect((await confirm()).status).toBe(409);
  expect(asked).toBe(1);
  release.resolve();
  expect((await first).status).toBe(200);
  expect((await confirm()).status).toBe(200);
});
