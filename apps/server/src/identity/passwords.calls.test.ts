import { type SmtpServer, startSmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import {
  changeOwnPassword,
  checkPasswordLink,
  requestPasswordLink,
  setPasswordByLink,
} from '@keepwatch/contract/identity/passwords';
import { getProfile, signIn } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendAccountMail, sendAccountMailJob } from '../directory/send-account-mail.ts';
import { execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { connectMailServer, mailServices, plainText } from '../testing/mail-connection.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const NEW = 'another long password';

let portal: TestPortal;
let mails: SmtpServer;
beforeAll(async () => {
  portal = await startTestPortal();
  mails = await startSmtpServer();
  await connectMailServer(portal.database, mails);
});
afterAll(async () => {
  await mails.stop();
  await portal.stop();
});

const signInWith = async ({ username }: Caller, password: string) =>
  (await portal.anonymous.send(signIn, { body: { username, password } })).status;

/** The mails that a request leads to, as the worker sends them. */
async function mailed(login: string) {
  mails.received.length = 0;
  await portal.anonymous.call(requestPasswordLink, { body: { login } });
  const order = sendAccountMailJob.payload.parse(portal.sent.at(-1)?.payload);
  await sendAccountMail(mailServices(portal.database), order, new AbortController().signal);
  return mails.received.map((mail) => ({ to: mail.to, text: plainText(mail) }));
}

const hashIn = (text = '') => /(?<=hash=)[\w-]+/.exec(text)?.[0] ?? '';

describe('POST profile/{id}/change-password/db', () => {
  const change = (caller: Caller, id = caller.userId, password = PASSWORD, newPassword = NEW) =>
    caller.send(changeOwnPassword, { params: { id }, body: { password, newPassword } });

  it('200: ends every session of the user, and goes on with a new one', async () => {
    const person = await portal.as('operator');
    const { data } = await (await change(person)).json();
    expect((await person.send(getProfile, { params: { id: person.userId } })).status).toBe(401);
    const onward = { headers: { authorization: `Bearer ${data.token}` } };
    expect((await portal.anonymous.raw('GET', `/api/profile/${person.userId}`, onward)).status).toBe(200);
    expect([await signInWith(person, PASSWORD), await signInWith(person, NEW)]).toEqual([401, 200]);
  });

  it('401: says that the current password is not valid, and counts it as a guess', async () => {
    const person = await portal.as('operator');
    const wrong = await refusal(change(person, person.userId, 'wrong'));
    expect(wrong).toMatchObject({ status: 401, message: 'The current password is not valid.' });
    for (let guess = 0; guess < 7; guess += 1) await change(person, person.userId, 'wrong');
    expect((await change(person)).status).toBe(429);
  });

  it('404: for the profile of another user; 422: for the same password, and for a short one', async () => {
    const person = await portal.as('operator');
    expect((await change(person, newId())).status).toBe(404);
    const same = await refusal(change(person, person.userId, PASSWORD, PASSWORD));
    const short = await refusal(change(person, person.userId, PASSWORD, 'short'));
    expect([same, short]).toMatchObject([
      { status: 422, errors: [{ path: 'body.newPassword' }] },
      { status: 422, errors: [{ path: 'body.newPassword', message: 'must have at least 12 characters' }] },
    ]);
  });

  it('422: for the same password whose letters are written in another way: it would stay that of who set it', async () => {
    const person = await portal.as('operator');
    const set = 'pässwörd of an admin';
    const { data } = await (await change(person, person.userId, PASSWORD, set.normalize('NFC'))).json();
    const onward = portal.callerOf({ ...person, token: data.token });
    const same = change(onward, person.userId, set.normalize('NFC'), set.normalize('NFD'));
    expect(await refusal(same)).toMatchObject({ status: 422, errors: [{ path: 'body.newPassword' }] });
  });
});

describe('a forgotten password', () => {
  it('is replaced by a link that is mailed to the account of a user name or address', async () => {
    const person = await portal.as('operator');
    for (const login of [person.username.toUpperCase(), `${person.username}@example.test`]) {
      const [mail] = await mailed(login);
      expect(mail?.to).toContain(`${person.username}@example.test`);
      expect(mail?.text).toContain('https://portal.test:8443/reset-password-db?hash=');
    }
    const [mail] = await mailed(person.username);
    const hash = hashIn(mail?.text);
    const checked = await portal.anonymous.call(checkPasswordLink, { query: { hash } });
    expect(checked.data).toEqual({ isValid: true, isInvitation: false });
    await portal.anonymous.call(setPasswordByLink, { body: { hash, password: NEW } });
    expect([await signInWith(person, PASSWORD), await signInWith(person, NEW)]).toEqual([401, 200]);
    expect((await person.send(getProfile, { params: { id: person.userId } })).status).toBe(401);
  });

  it('is answered in the same words for a name that does not exist, and no mail is sent', async () => {
    const person = await portal.as('operator');
    const known = await portal.anonymous.send(requestPasswordLink, { body: { login: person.username } });
    const unknown = await portal.anonymous.send(requestPasswordLink, { body: { login: 'no-such-name' } });
    expect([known.status, await known.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(await mailed("x' or 1=1 --")).toEqual([]);
  });

  it('mails no disabled user, and no user of another provider', async () => {
    const disabled = await portal.as('operator');
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${disabled.userId}`);
    const foreign = await portal.as('operator', { providerId: 2 });
    expect([...(await mailed(disabled.username)), ...(await mailed(foreign.username))]).toEqual([]);
  });

  it('429: mails one address three times in ten minutes at most', async () => {
    const { username: login } = await portal.as('operator');
    for (let times = 0; times < 3; times += 1) await portal.anonymous.call(requestPasswordLink, { body: { login } });
    const refused = await refusal(portal.anonymous.send(requestPasswordLink, { body: { login } }));
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('Too many requests') });
  });

  it('is mailed to one account three times in ten minutes at most, by whatever name it is asked for, and by no id', async () => {
    const { username, userId } = await portal.as('operator');
    const email = `${username}@example.test`;
    const counts: number[] = [];
    for (const login of [userId, username, username, email, email]) counts.push((await mailed(login)).length);
    expect(counts).toEqual([0, 1, 1, 1, 0]);
  });

  it('counts no mail that the server has refused', async () => {
    const { username } = await portal.as('operator');
    mails.recipientReply = '451 try again later';
    const order = { providerId: 1, purpose: 'password', login: username } as const;
    const send = () => sendAccountMail(mailServices(portal.database), order, new AbortController().signal);
    for (let times = 0; times < 3; times += 1) await expect(send()).rejects.toThrow();
    mails.recipientReply = '250 ok';
    expect(await mailed(username)).toHaveLength(1);
  });

  it('does not open an hour later, at another provider, for two at once, or by a forged hash', async () => {
    const person = await portal.as('operator');
    const [mail] = await mailed(person.username);
    const hash = hashIn(mail?.text);
    const check = async (host: string) => {
      const reply = await portal.anonymous.raw('GET', `/api/profile/forgot-password/check?hash=${hash}`, {
        headers: { 'x-forwarded-host': host },
      });
      return (await reply.json()).data.isValid;
    };
    expect(await check('localhost')).toBe(true);
    portal.clock.now = new Date(TEST_NOW.getTime() + 61 * 60_000);
    expect(await check('localhost')).toBe(false);
    portal.clock.now = TEST_NOW;
    const both = await Promise.all(
      [1, 2].map((time) => portal.anonymous.send(setPasswordByLink, { body: { hash, password: `${NEW} ${time}` } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const forged = await portal.anonymous.send(setPasswordByLink, { body: { hash: `${hash}x`, password: NEW } });
    expect(forged.status).toBe(404);
  });
});
