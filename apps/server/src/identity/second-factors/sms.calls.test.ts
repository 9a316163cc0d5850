import { beginPhone, beginPhoneRemoval, confirmPhone, removePhone } from '@keepwatch/contract/identity/phones';
import { getSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { sessionOf, signInWithCode } from '@keepwatch/contract/identity/sessions';
import { editSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { giveSmsPhone, resendSmsCode, signInWithSms } from '@keepwatch/contract/identity/sms-sign-in';
import { type RunningTwilio, startTwilio } from '@keepwatch/sandbox/twilio/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { forgetExpired } from '../identity.jobs.ts';
import { addAuthenticator, signInTo } from './testing/authenticator-app.ts';
import { addPhone, codeFor, connectTwilio, newNumber, otherThan } from './testing/sms-phone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const directory = 'db';

let portal: TestPortal;
let twilio: RunningTwilio;
beforeAll(async () => {
  portal = await startTestPortal();
  twilio = await startTwilio({ now: () => portal.clock.now });
  await connectTwilio(portal.database, twilio);
});
beforeEach(() => {
  portal.clock.now = TEST_NOW;
});
afterAll(async () => {
  await portal.stop();
  await twilio.stop();
});

const pass = (ms: number) => {
  portal.clock.now = new Date(portal.clock.now.getTime() + ms);
};
const credentialsOf = ({ username }: Caller) => ({ username, password: PASSWORD });
const resend = (person: Caller, body: { newMobilePhone?: string } = {}) =>
  portal.anonymous.send(resendSmsCode, { params: { directory }, body: { ...credentialsOf(person), ...body } });
const give = (person: Caller, mobilePhone: string) =>
  portal.anonymous.send(giveSmsPhone, { params: { directory }, body: { ...credentialsOf(person), mobilePhone } });
const send = (
  person: Caller,
  smsCode: string,
  body: { rememberComputer?: boolean; userUpdatedPhoneOnce?: boolean } = {},
) =>
  portal.anonymous.send(signInWithSms, { params: { directory }, body: { ...credentialsOf(person), smsCode, ...body } });
const factorsOf = async (person: Caller) =>
  (await person.call(getSecondFactors, { params: { id: person.userId } })).data;

/** A user with a phone, eleven minutes after it was added. */
async function userWithPhone() {
  const person = await portal.as('operator');
  const number = newNumber();
  const recoveryCodes = await addPhone(person, twilio, number);
  pass(11 * MINUTE_MS);
  return { person, number, recoveryCodes, code: () => codeFor(twilio, number) };
}

const actionsOf = async ({ username }: Caller) => {
  const entries = await rows<{ action: string }>(
    portal.database,
    sql`select action from audit_entries where username = ${username} order by at, action`,
  );
  return entries.map(({ action }) => action);
};

describe('the phone of a user', () => {
  it('counts once the code that it received has come, and is shown in part', async () => {
    const person = await portal.as('operator');
    const [params, number] = [{ id: person.userId }, newNumber()];
    const begun = await person.call(beginPhone, { params, body: { password: PASSWORD, mobilePhone: number } });
    expect(begun.data.phone).toBe(`•••••••••${number.slice(-2)}`);
    expect(await factorsOf(person)).toMatchObject({ phone: null, canUsePhone: true });
    const wrong = { params, body: { code: otherThan(codeFor(twilio, number)) } };
    expect(await refusal(person.send(confirmPhone, wrong))).toMatchObject({
      status: 422,
      errors: [{ path: 'body.code' }],
    });
    const confirmed = await person.call(confirmPhone, { params, body: { code: codeFor(twilio, number) } });
    expect(confirmed.data.recoveryCodes).toHaveLength(10);
    const phone = { number: begun.data.phone, createdAt: TEST_NOW.toISOString(), lastUsedAt: null };
    expect(await factorsOf(person)).toMatchObject({ phone, recoveryCodesLeft: 10 });
    expect(await actionsOf(person)).toEqual(['profile.add-phone', 'profile.send-code']);
  });

  it('is added with the password, and is a mobile number that costs what others cost', async () => {
    const person = await portal.as('operator');
    const params = { id: person.userId };
    const wrong = { password: 'wrong', mobilePhone: newNumber() };
    expect((await person.send(beginPhone, { params, body: wrong })).status).toBe(401);
    for (const mobilePhone of ['+1 900 555 0100', '+44 20 7946 0000']) {
      const refused = await refusal(person.send(beginPhone, { params, body: { password: PASSWORD, mobilePhone } }));
      expect(refused).toMatchObject({ status: 422, errors: [{ path: 'body.mobilePhone' }] });
    }
    const national = { password: PASSWORD, mobilePhone: '500 555 0006' };
    expect((await person.send(beginPhone, { params, body: national })).status).toBe(422);
  });

  it('is removed with the password and a code; a code for something else does not count', async () => {
    const { person, number, code } = await userWithPhone();
    const params = { id: person.userId };
    await resend(person);
    expect((await person.send(removePhone, { params, body: { code: code() } })).status).toBe(422);
    await person.call(beginPhoneRemoval, { params, body: { password: PASSWORD } });
    await person.call(removePhone, { params, body: { code: codeFor(twilio, number) } });
    expect(await factorsOf(person)).toMatchObject({ phone: null, recoveryCodesLeft: 0 });
    expect(await signInTo(portal, person)).toHaveProperty('token');
  });

  it('404: is its owner’s alone, and there is none to remove before one was added', async () => {
    const [person, other] = [await portal.as('operator'), await portal.as('operator')];
    const code = '123456';
    const [mobilePhone, params] = [newNumber(), { id: other.userId }];
    const replies = [
      await person.send(beginPhone, { params, body: { password: PASSWORD, mobilePhone } }),
      await person.send(confirmPhone, { params, body: { code } }),
      await person.send(beginPhoneRemoval, { params, body: { password: PASSWORD } }),
      await person.send(removePhone, { params, body: { code } }),
      await person.send(beginPhoneRemoval, { params: { id: person.userId }, body: { password: PASSWORD } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(twilio.messagesTo(mobilePhone)).toEqual([]);
  });

  it('is replaced by another one; what was sent to the first one no longer signs in', async () => {
    const { person, number } = await userWithPhone();
    await resend(person);
    const other = newNumber();
    await addPhone(person, twilio, other);
    expect((await send(person, codeFor(twilio, number))).status).toBe(401);
    expect((await factorsOf(person)).phone?.number).toBe(`•••••••••${other.slice(-2)}`);
  });
});

describe('POST auth/login/db/sms', () => {
  it('signs in with the code that the sign-in has sent', async () => {
    const { person, code } = await userWithPhone();
    expect(await signInTo(portal, person)).toMatchObject({
      secondFactor: {
        kinds: ['sms', 'recovery-code'],
        sms: { isSent: true, phone: expect.stringMatching(/^•+\d\d$/) },
      },
    });
    const signedIn = await (await send(person, ` ${code()} `)).json();
    expect(signedIn).toMatchObject({ success: true, userId: person.userId, token: expect.any(String) });
    expect(signedIn.recoveryCodes).toBeNull();
    expect((await factorsOf(person)).phone?.lastUsedAt).toBe(portal.clock.now.toISOString());
    expect(await actionsOf(person)).toEqual(expect.arrayContaining(['session.send-code', 'session.sign-in']));
  });

  it('sends nothing unasked to who has an authenticator app, too', async () => {
    const { person, number } = await userWithPhone();
    await addAuthenticator(person, portal.clock.now);
    const before = twilio.messagesTo(number).length;
    expect(await signInTo(portal, person)).toMatchObject({ secondFactor: { sms: { isSent: false } } });
    expect(twilio.messagesTo(number)).toHaveLength(before);
    expect((await resend(person)).status).toBe(200);
    expect(twilio.messagesTo(number)).toHaveLength(before + 1);
  });

  it('401: counts a code once, also for two who send it at once, and for ten minutes', async () => {
    const { person, code } = await userWithPhone();
    await resend(person);
    const both = await Promise.all([send(person, code()), send(person, code())]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await refusal(send(person, code()))).toMatchObject({ status: 401, code: 'WRONG_CODE' });
    await resend(person);
    pass(10 * MINUTE_MS);
    expect((await send(person, code())).status).toBe(401);
  });

  it('401: does not count the right code after five wrong ones', async () => {
    const { person, code } = await userWithPhone();
    await resend(person);
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await send(person, otherThan(code()))).status).toBe(401);
    expect((await send(person, code())).status).toBe(401);
    expect(await actionsOf(person)).toContain('session.refused-code');
  });

  it('says of a wrong password what it says of an unknown user, and sends nothing', async () => {
    const { person, number } = await userWithPhone();
    const before = twilio.messagesTo(number).length;
    const body = { password: 'wrong', smsCode: '123456' };
    const replies = await Promise.all(
      [person.username, 'unknown'].flatMap((username) => [
        refusal(portal.anonymous.send(signInWithSms, { params: { directory }, body: { username, ...body } })),
        refusal(portal.anonymous.send(resendSmsCode, { params: { directory }, body: { username, password: 'wrong' } })),
      ]),
    );
    const said = replies.map(({ status, code, message }) => `${status} ${code} ${message}`);
    expect(new Set(said).size).toBe(1);
    expect(twilio.messagesTo(number)).toHaveLength(before);
  });

  it('lets in without a code where the computer is remembered', async () => {
    const { person, code } = await userWithPhone();
    await resend(person);
    const reply = await send(person, code(), { rememberComputer: true });
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    const again = await portal.anonymous.raw('POST', '/api/auth/login/db', {
      body: JSON.stringify(credentialsOf(person)),
      headers: { 'content-type': 'application/json', cookie },
    });
    expect(await again.json()).toHaveProperty('token');
  });

  it('leaves recovery codes for a phone that was lost', async () => {
    const { person, recoveryCodes } = await userWithPhone();
    const reply = await signInTo(portal, person);
    if (!('secondFactor' in reply)) throw new Error('No second factor was asked for.');
    const { challenge } = reply.secondFactor;
    const body = { challenge, code: recoveryCodes[0] ?? '', rememberComputer: false };
    expect((await portal.anonymous.send(signInWithCode, { body })).status).toBe(200);
  });
});

describe('POST auth/login/db/sms/resend', () => {
  it('429: sends three codes in ten minutes, and ten a day; the sign-in then says that none was sent', async () => {
    const { person } = await userWithPhone();
    for (let sent = 0; sent < 3; sent += 1) expect((await resend(person)).status).toBe(200);
    expect(await refusal(resend(person))).toMatchObject({
      status: 429,
      message: expect.stringContaining('ten minutes'),
    });
    expect(await signInTo(portal, person)).toMatchObject({ secondFactor: { sms: { isSent: false } } });
    for (let sent = 4; sent < 10; sent += 1) {
      pass(11 * MINUTE_MS);
      expect((await resend(person)).status).toBe(200);
    }
    pass(11 * MINUTE_MS);
    expect(await refusal(resend(person))).toMatchObject({ status: 429, message: expect.stringContaining('today') });
    pass(DAY_MS);
    await forgetExpired(portal.database, portal.clock.now);
    expect((await resend(person)).status).toBe(200);
  });

  it('409: does not send the code of a confirmed phone to another one', async () => {
    const { person } = await userWithPhone();
    const other = newNumber();
    expect(await refusal(resend(person, { newMobilePhone: other }))).toMatchObject({ status: 409 });
    expect((await give(person, other)).status).toBe(409);
    expect(twilio.messagesTo(other)).toEqual([]);
  });

  it('409: gives no phone to who needs no second factor', async () => {
    const person = await portal.as('operator');
    expect((await give(person, newNumber())).status).toBe(409);
    expect((await resend(person)).status).toBe(409);
  });
});

describe('a provider that requires a second factor', () => {
  it('lets a user give a phone at the sign-in, correct it once, and confirm it', async () => {
    const person = await portal.as('operator');
    // Sessions that are open go on.
    const administrator = await portal.as('super-admin');
    const require = (requiresSecondFactor: boolean) =>
      administrator.call(editSignInRules, { body: { requiresSecondFactor } });
    await require(true);
    try {
      const [mistyped, right] = [newNumber(), newNumber()];
      expect((await give(person, mistyped)).status).toBe(200);
      expect((await resend(person, { newMobilePhone: right })).status).toBe(200);
      expect((await send(person, codeFor(twilio, right))).status).toBe(401);
      pass(11 * MINUTE_MS);
      expect(await refusal(give(person, newNumber()))).toMatchObject({ status: 429 });
      expect((await give(person, right)).status).toBe(200);
      const waiting = sessionOf(await signInTo(portal, person));
      const signedIn = await send(person, codeFor(twilio, right), { userUpdatedPhoneOnce: true });
      const reply = await signedIn.json();
      // It knew the password alone.
      const thief = portal.callerOf({ ...person, token: waiting.token });
      expect((await thief.send(getSecondFactors, { params: { id: person.userId } })).status).toBe(401);
      expect(reply).toMatchObject({ user: { secondFactorNeeded: false } });
      // They come with a first second factor, as on the security page: the phone may be lost.
      expect(reply.recoveryCodes).toHaveLength(10);
      const asked = await signInTo(portal, person);
      const challenge = 'secondFactor' in asked ? asked.secondFactor.challenge : '';
      const body = { challenge, code: reply.recoveryCodes[0], rememberComputer: false };
      expect((await portal.anonymous.send(signInWithCode, { body })).status).toBe(200);
      expect((await factorsOf(person)).phone?.number).toContain(right.slice(-2));
      // It is confirmed: no other one is given here.
      expect((await give(person, newNumber())).status).toBe(409);
    } finally {
      await require(false);
    }
  });
});

describe('the messages of a day', () => {
  it('429: are no more than the provider is ready to pay for, and no more numbers are looked up', async () => {
    const { person: known } = await userWithPhone();
    await execute(
      portal.database,
      sql`update connections set settings = settings || '{"messagesADay":"1"}' where port = 'sms-codes'`,
    );
    try {
      const person = await portal.as('operator');
      const body = { password: PASSWORD, mobilePhone: newNumber() };
      const refused = [
        await refusal(resend(known)),
        await refusal(person.send(beginPhone, { params: { id: person.userId }, body })),
      ];
      expect(refused).toMatchObject([
        { status: 429, message: expect.stringContaining('Your provider sends no further codes') },
        { status: 429, message: expect.stringContaining('Your provider takes no further phones') },
      ]);
    } finally {
      await execute(
        portal.database,
        sql`update connections set settings = settings || '{"messagesADay":"1000"}' where port = 'sms-codes'`,
      );
    }
  });
});

describe('the numbers that are looked up for one account', () => {
  it('429: are ten a day, which leave it its codes', async () => {
    const { person } = await userWithPhone();
    const params = { id: person.userId };
    const statuses: number[] = [];
    // Only the service knows that these are landlines: each look-up is paid for.
    for (let at = 10; at < 20; at += 1) {
      const body = { password: PASSWORD, mobilePhone: `+4412123456${at}` };
      statuses.push((await person.send(beginPhone, { params, body })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 422), 429]);
    expect((await resend(person)).status).toBe(200);
  });
});

describe('without a service that sends codes', () => {
  it('409: says so, and keeps the other second factors', async () => {
    const { person } = await userWithPhone();
    await execute(portal.database, sql`update connections set is_enabled = false where port = 'sms-codes'`);
    try {
      expect(await refusal(resend(person))).toMatchObject({
        status: 409,
        message: expect.stringContaining('sends no codes'),
      });
      expect(await factorsOf(person)).toMatchObject({ canUsePhone: false });
      expect(await signInTo(portal, person)).toMatchObject({ secondFactor: { sms: { isSent: false } } });
    } finally {
      await execute(portal.database, sql`update connections set is_enabled = true where port = 'sms-codes'`);
    }
  });
});
