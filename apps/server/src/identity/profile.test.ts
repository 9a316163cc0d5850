import { editProfile, getProfile } from '@keepwatch/contract/identity/sessions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('profile', () => {
  it('changes the own details, and leaves what is not given', async () => {
    const caller = await portal.as('operator');
    const params = { id: caller.userId };
    const details = {
      name: 'Olga Peres',
      mobilePhone: '+1 555 0101',
      landingApp: { page: '/monitoring/daily-checks' },
    };
    await caller.call(editProfile, { params, body: details });
    await caller.call(editProfile, { params, body: { officePhone: '555 0102' } });
    const { data } = await caller.call(getProfile, { params });
    expect(data).toMatchObject({ ...details, officePhone: '555 0102', username: caller.username });
    await caller.call(editProfile, { params, body: { mobilePhone: null, landingApp: null } });
    expect((await caller.call(getProfile, { params })).data).toMatchObject({ mobilePhone: null, landingApp: null });
  });

  it('refuses a user name in use, in other letters too, and one that another provider has is free', async () => {
    const [caller, other, foreign] = await Promise.all([
      portal.as('operator'),
      portal.as('operator'),
      portal.as('operator', { providerId: 2 }),
    ]);
    const params = { id: caller.userId };
    const refused = await caller.send(editProfile, { params, body: { username: other.username.toUpperCase() } });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ message: 'The username already exists.' });
    const { data } = await caller.call(editProfile, { params, body: { username: foreign.username } });
    expect(data.username).toBe(foreign.username);
  });

  it('refuses what is no phone number and no page of the portal', async () => {
    const caller = await portal.as('operator');
    const params = { id: caller.userId };
    for (const body of [{ mobilePhone: 'call me' }, { landingApp: { page: 'https://elsewhere.test' } }, { email: 'x' }])
      expect((await caller.send(editProfile, { params, body })).status).toBe(422);
  });

  it("is the owner's alone", async () => {
    const [caller, other] = await Promise.all([portal.as('admin'), portal.as('operator')]);
    const response = await caller.send(editProfile, { params: { id: other.userId }, body: { name: 'Another name' } });
    expect(response.status).toBe(404);
  });
});
