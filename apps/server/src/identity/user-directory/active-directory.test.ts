import { PASSWORD_THERE } from '@keepwatch/connectors/testing/directory-people';
import {
  ADMINISTRATOR,
  BASE_DN,
  type DomainController,
  startDomainController,
  whyNoDomainController,
} from '@keepwatch/connectors/testing/domain-controller';
import { type SmtpServer, startSmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import type { Role } from '@keepwatch/contract/abilities';
import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { createConnection, listConnections, testConnection } from '@keepwatch/contract/connections/connections';
import { changeUserPassword, deleteUser, editUser, inviteUser, listUsers } from '@keepwatch/contract/directory/users';
import { createApiKey } from '@keepwatch/contract/identity/api-keys';
import { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from '@keepwatch/contract/identity/passkeys';
import { changeOwnPassword, requestPasswordLink, setPasswordByLink } from '@keepwatch/contract/identity/passwords';
import { beginAuthenticator, confirmAuthenticator } from '@keepwatch/contract/identity/second-factors';
import {
  checkSecretAnswers,
  findSecretQuestions,
  getOwnQuestions,
  SECRET_QUESTIONS,
  setOwnQuestions,
} from '@keepwatch/contract/identity/secret-questions';
import { editProfile, getProfile, signIn, signInWithCode } from '@keepwatch/contract/identity/sessions';
import {
  changeExpiredPassword,
  changeOwnDirectoryPassword,
  changeUserDirectoryPassword,
  resetDirectoryPassword,
  signInByDirectory,
  unlockAccount,
} from '@keepwatch/contract/identity/user-directory';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockProvider } from '../../branding/brands.ts';
import { sendAccountMail, sendAccountMailJob } from '../../directory/send-account-mail.ts';
import { execute, row, rows } from '../../foundation/database.ts';
import { connectMailServer, mailServices, plainText } from '../../testing/mail-connection.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { untilOneWaits } from '../../testing/until-one-waits.ts';
import { claimAccount, releaseAccount } from '../second-factors/challenges.ts';
import { codeAt } from '../second-factors/testing/authenticator-app.ts';
import { softwareAuthenticator } from '../second-factors/testing/software-authenticator.ts';
import { recheckAccounts } from './recheck-accounts.ts';

const reason = whyNoDomainController();
const NEW = 'An0ther-Passw0rd!';
const ANSWERS = { first: 'Ms  Müller', second: 'Rex', third: 'Paris' };
const GIVEN = [ANSWERS.first, ANSWERS.second, ANSWERS.third];
const REQUIREMENTS = 'Password chosen failed to meet any or all of the requirements stated.';
const WRONG = {
  status: 401,
  code: 'WRONG_CREDENTIALS',
  message: expect.stringContaining('Wrong user name or password'),
};

describe.skipIf(reason !== null)(`an Active Directory${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let controller: DomainController;
  let portal: TestPortal;
  let mails: SmtpServer;
  let administrator: Caller;
  let operators: string;
  let people = 0;

  beforeAll(async () => {
    [controller, portal, mails] = await Promise.all([startDomainController(), startTestPortal(), startSmtpServer()]);
    await connectMailServer(portal.database, mails);
    administrator = await portal.as(['super-admin', 'admin']);
    operators = await controller.addGroup('Portal-Operators');
    await controller.addGroup('Portal-Admins', [
      await controller.addGroup('Nested', [await controller.addGroup('Innermost')]),
    ]);
    const body = { port: 'user-directory', kind: 'ad', name: 'Directory', isEnabled: true, settings: settings() };
    await administrator.call(createConnection, { body });
  }, 120_000);
  afterAll(async () => {
    await portal?.stop();
    await mails?.stop();
    await controller?.stop();
  });
  // What an earlier test counted is over.
  beforeEach(() => {
    portal.clock.now = new Date(portal.clock.now.getTime() + 11 * 60_000);
  });

  function settings(changes: Record<string, string> = {}): Record<string, string> {
    return {
      // The first does not answer: every test is one of the second.
      controllers: `ldaps://127.0.0.1:1 ${controller.url}`,
      baseDn: BASE_DN,
      user: ADMINISTRATOR.user,
      password: ADMINISTRATOR.password,
      certificate: controller.certificate,
      'group-operator': 'portal-operators',
      'group-admin': 'CN=Portal-Admins,CN=Users,DC=ad,DC=test; Other',
      ...changes,
    };
  }

  /** An account of the directory that no other test has; an operator unless it says. */
  async function person(given: Parameters<DomainController['addPerson']>[1] = {}) {
    people += 1;
    const username = `person${people}`;
    const dn = await controller.addPerson(username, { groups: [operators], email: `${username}@ad.test`, ...given });
    return { username, dn };
  }

  const send = (username: string, password = PASSWORD_THERE) =>
    portal.anonymous.send(signInByDirectory, { body: { username, password } });

  async function signedIn(username: string, password = PASSWORD_THERE): Promise<Caller> {
    const reply = await portal.anonymous.call(signInByDirectory, { body: { username, password } });
    if (!('token' in reply)) throw new Error('A second factor was asked for.');
    return portal.callerOf({ userId: reply.userId, username, token: reply.token });
  }

  /** A signed-in person who has chosen secret questions. */
  async function withQuestions() {
    const { username, dn } = await person();
    const caller = await signedIn(username);
    const [first, second, third] = SECRET_QUESTIONS;
    const chosen = {
      first: chosenOf(third, 'Paris'),
      second: chosenOf(second, 'Rex'),
      third: chosenOf(first, 'Ms Müller'),
    };
    const body = { password: PASSWORD_THERE, ...chosen };
    await caller.call(setOwnQuestions, { params: { id: caller.userId }, body });
    return { username, dn, caller };
  }
  const chosenOf = <Q>(question: Q, answer: string) => ({ question, answer });

  /** Does something while no controller answers. */
  async function unreachable(work: () => Promise<void>): Promise<void> {
    const set = (controllers: string) =>
      execute(
        portal.database,
        sql`update connections set settings = settings || jsonb_build_object('controllers', ${controllers}::text) where port = 'user-directory'`,
      );
    await set('ldaps://127.0.0.1:1');
    try {
      await work();
    } finally {
      await set(settings()['controllers'] ?? '');
    }
  }

  const answersOf = (username: string, answers: string[] = GIVEN) =>
    portal.anonymous.send(checkSecretAnswers, { body: { username, answers } });
  const proofOf = async (username: string) => {
    const { data } = await portal.anonymous.call(checkSecretAnswers, { body: { username, answers: GIVEN } });
    return data.hash;
  };

  const rolesOf = (caller: Caller) =>
    caller.call(getProfile, { params: { id: caller.userId } }).then(({ data }) => data.acl.map(({ role }) => role));

  describe('as a connection', () => {
    const test = (changes: Record<string, string>) =>
      administrator.call(testConnection, {
        body: { port: 'user-directory', kind: 'ad', settings: settings(changes) },
      });

    it('works where one of its controllers answers', async () => {
      expect((await test({})).data).toMatchObject({
        outcome: 'works',
        message: expect.stringContaining(controller.url),
      });
    });

    it.each([
      ['a wrong password', { password: 'wrong' }, 'wrong-credentials', 'refused the account'],
      ['an unknown certificate', { certificate: '' }, 'not-reachable', 'certificate'],
      ['no controller that answers', { controllers: 'ldaps://127.0.0.1:1' }, 'not-reachable', 'ECONNREFUSED'],
      ['a controller without encryption', { controllers: 'ldap://127.0.0.1' }, 'not-reachable', 'ldaps://'],
      ['a base that does not exist', { baseDn: 'OU=Nowhere,DC=ad,DC=test' }, 'not-allowed', 'no such entry'],
    ])('says of %s what is wrong', async (_, changes, outcome, text) => {
      expect((await test(changes)).data).toMatchObject({ outcome, message: expect.stringContaining(text) });
    });

    it('shows neither its password nor its certificate', async () => {
      const shown = JSON.stringify(await administrator.call(listConnections, {}));
      expect(shown).not.toContain(ADMINISTRATOR.password);
      expect(shown).not.toContain('BEGIN CERTIFICATE');
    });
  });

  describe('POST auth/login/ad', () => {
    it('200: adds a person at the first sign-in, with name, address and the role of the group', async () => {
      const { username } = await person();
      const reply = await portal.anonymous.call(signInByDirectory, {
        body: { username: username.toUpperCase(), password: PASSWORD_THERE },
      });
      expect(reply).toMatchObject({
        user: {
          username,
          name: `Name of ${username}`,
          email: `${username}@ad.test`,
          acl: [{ role: 'operator' }],
          authType: 'ad',
          forceSecurityQuestions: true,
        },
      });
      const { data } = await administrator.call(listUserLogs, { query: { limit: 50 } });
      const actions = data.filter((entry) => entry.username === username).map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(['session.sign-in', 'user.from-directory']));
    });

    it('200: knows the same person again by a new name, by the user principal name, and with other groups', async () => {
      const { username, dn } = await person();
      const before = await signedIn(username);
      await controller.set(dn, { sAMAccountName: `${username}-new`, userPrincipalName: `${username}@mail.test` });
      await controller.addGroup(`Of ${username}`, [dn]);
      await controller.set('CN=Innermost,CN=Users,DC=ad,DC=test', { member: dn });
      const after = await signedIn(`${username}@mail.test`);
      expect(after.userId).toBe(before.userId);
      const { data } = await after.call(getProfile, { params: { id: after.userId } });
      expect(data.username).toBe(`${username}-new`);
      expect((await rolesOf(after)).toSorted()).toEqual(['admin', 'operator'] satisfies Role[]);
    });

    it('403: does not bring back a user who was deleted here', async () => {
      const { username } = await person();
      const { userId: id } = await signedIn(username);
      await administrator.call(deleteUser, { params: { id }, body: { reason: 'Left' } });
      expect(await refusal(send(username))).toMatchObject({ status: 403, code: 'ACCOUNT_CLOSED' });
      const known = await rows(portal.database, sql`select from users where username = ${username}`);
      expect(known).toHaveLength(1);
    });

    it('calls no user by a name with letters that only look like those of another one', async () => {
      const { username, dn } = await person();
      await controller.set(dn, { sAMAccountName: '\u043eperator', userPrincipalName: `${username}@mail.test` });
      const caller = await signedIn(`${username}@mail.test`);
      const { data } = await caller.call(getProfile, { params: { id: caller.userId } });
      expect(data.username).toBe(`${username}@mail.test`);
      expect(await refusal(send('\u043eperator'))).toMatchObject(WRONG);
    });

    it('403: refuses who has no group of a role, and takes the roles away whose groups are gone', async () => {
      const stranger = await person({ groups: [] });
      expect(await refusal(send(stranger.username))).toMatchObject({ status: 403, code: 'ACCOUNT_CLOSED' });
      const known = await row(portal.database, sql`select from users where username = ${stranger.username}`);
      expect(known).toBeNull();
      const { username, dn } = await person();
      const caller = await signedIn(username);
      await controller.set(operators, { member: null });
      expect((await refusal(send(username))).status).toBe(403);
      expect(await rolesOf(caller)).toEqual([]);
      await controller.set(operators, { member: dn });
    });

    it('takes a group for another one neither by its display name nor by the name of its entry', async () => {
      const { username, dn } = await person({ groups: [] });
      const group = await controller.addGroup(`Imitation of ${username}`, [dn]);
      await controller.set(group, { displayName: 'Portal-Operators', description: 'Portal-Operators' });
      expect((await refusal(send(username))).status).toBe(403);
    });

    it('401: says the same of a wrong password, a name that does not exist, and a locked account', async () => {
      const { username, dn } = await person();
      const wrong = await refusal(send(username, 'wrong'));
      expect(wrong).toMatchObject(WRONG);
      for (let guess = 0; guess < 5; guess += 1) await controller.tryPassword(dn, 'wrong');
      expect(await controller.tryPassword(dn, PASSWORD_THERE)).toBe('775');
      const refused = [await refusal(send(username)), await refusal(send('no-such-name'))];
      for (const { message, status, code } of refused)
        expect({ message, status, code }).toEqual({
          message: wrong.message,
          status: 401,
          code: 'WRONG_CREDENTIALS',
        });
    });

    it('refuses no sooner where there is no such name', async () => {
      const { username } = await person();
      const millisecondsOf = async (name: string) => {
        const begunAt = performance.now();
        await send(name, 'wrong');
        return performance.now() - begunAt;
      };
      expect(await millisecondsOf(username)).toBeGreaterThanOrEqual(299);
      expect(await millisecondsOf('no-such-name')).toBeGreaterThanOrEqual(299);
    });

    it('401: finds no account by a wildcard, a filter, or a name that only looks the same', async () => {
      await controller.addPerson('alike', { groups: [operators] });
      expect((await send('alike')).status).toBe(200);
      const names = ['*', 'alik*', 'alike)(objectClass=*', '\\61like', 'álike', 'ａlike', 'alike '];
      for (const name of names) expect([name, (await send(name)).status]).toEqual([name, 401]);
    });

    it('429: counts wrong passwords for a name and a network', async () => {
      for (let guess = 0; guess < 8; guess += 1) await send('no-such-name-again', 'wrong');
      expect((await refusal(send('no-such-name-again', 'wrong'))).status).toBe(429);
    });

    it('401: counts wrong passwords for both names of an account together, and does not say so', async () => {
      const { username, dn } = await person();
      const other = `${username}@ad.test`;
      await controller.set(dn, { userPrincipalName: other });
      for (let guess = 0; guess < 4; guess += 1) for (const name of [username, other]) await send(name, 'wrong');
      // That the directory has locked it, too, is another thing.
      await controller.set(dn, { lockoutTime: '0' });
      expect(await refusal(send(other))).toMatchObject(WRONG);
      const body = { username, password: PASSWORD_THERE, newPassword: NEW };
      expect(await refusal(portal.anonymous.send(changeExpiredPassword, { body }))).toMatchObject(WRONG);
      portal.clock.now = new Date(portal.clock.now.getTime() + 11 * 60_000);
      expect((await send(other)).status).toBe(200);
    });

    it.each([
      ['disabled', { userAccountControl: '514' }, 'disabled'],
      ['whose time is over', { accountExpires: '132000000000000000' }, 'ended'],
    ])('403: says to the holder of an account that is %s why it is closed', async (_, attributes, text) => {
      const { username, dn } = await person();
      await controller.set(dn, attributes);
      const message = expect.stringContaining(text);
      expect(await refusal(send(username))).toMatchObject({ status: 403, code: 'ACCOUNT_CLOSED', message });
      expect(await refusal(send(username, 'wrong'))).toMatchObject(WRONG);
    });

    it('403: refuses who was disabled in the portal, and 409: where another account has the name', async () => {
      const { username } = await person();
      const { userId } = await signedIn(username);
      await execute(portal.database, sql`update users set disabled_at = now() where id = ${userId}`);
      expect((await refusal(send(username))).status).toBe(403);
      const own = await portal.as('admin');
      await controller.addPerson(own.username, { groups: [operators] });
      expect((await refusal(send(own.username))).status).toBe(409);
      expect(await rolesOf(own)).toEqual(['admin']);
    });

    it('does not know an account again that another person got under the same name', async () => {
      const { username, dn } = await person();
      const before = await signedIn(username);
      await controller.remove(dn);
      await controller.addPerson(username, { groups: [operators] });
      expect(await refusal(send(username))).toMatchObject({ status: 409, message: expect.stringContaining(username) });
      expect((await before.send(getProfile, { params: { id: before.userId } })).status).toBe(200);
    });

    it('asks for the second factor that the user has added', async () => {
      const { username } = await person();
      const caller = await signedIn(username);
      const params = { id: caller.userId };
      expect((await caller.send(beginAuthenticator, { params, body: { password: 'wrong' } })).status).toBe(401);
      const { data } = await caller.call(beginAuthenticator, { params, body: { password: PASSWORD_THERE } });
      const code = codeAt(data.key, portal.clock.now);
      await caller.call(confirmAuthenticator, { params, body: { code } });
      const asked = await portal.anonymous.call(signInByDirectory, { body: { username, password: PASSWORD_THERE } });
      if (!('secondFactor' in asked)) throw new Error('No second factor was asked for.');
      portal.clock.now = new Date(portal.clock.now.getTime() + 60_000);
      const { challenge } = asked.secondFactor;
      const next = { challenge, code: codeAt(data.key, portal.clock.now) };
      expect((await portal.anonymous.send(signInWithCode, { body: next })).status).toBe(200);
    });

    it('403: lets a passkey in only as long as the account may sign in there', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      const params = { id: caller.userId };
      const device = softwareAuthenticator();
      const { data } = await caller.call(beginPasskey, { params, body: { password: PASSWORD_THERE } });
      const body = { name: 'Laptop', challenge: data.challenge, proof: device.register(data) };
      await caller.call(addPasskey, { params, body });
      const enter = async () => {
        const { data: request } = await portal.anonymous.call(beginPasskeySignIn, {});
        const { challenge } = request;
        return portal.anonymous.send(signInWithPasskey, { body: { challenge, proof: device.prove(request) } });
      };
      expect((await enter()).status).toBe(200);
      await controller.set(dn, { userAccountControl: '514' });
      expect(await refusal(enter())).toMatchObject({ status: 403, code: 'ACCOUNT_CLOSED' });
    });

    it('503: says that the directory does not answer, and shows its connection as failing until it does', async () => {
      const { username } = await person();
      const health = async () => {
        const { data } = await administrator.call(listConnections, {});
        return data.find(({ port }) => port === 'user-directory')?.health?.state;
      };
      await unreachable(async () => {
        expect(await refusal(send(username))).toMatchObject({ status: 503, code: 'DIRECTORY_UNREACHABLE' });
        expect(await health()).toBe('failing');
      });
      expect((await send(username)).status).toBe(200);
      expect(await health()).toBe('ok');
    });
  });

  describe('the accounts of users who are signed in', () => {
    const recheck = () =>
      recheckAccounts({ ...mailServices(portal.database), now: () => portal.clock.now }, new AbortController().signal);
    const profileOf = (caller: Caller) => caller.send(getProfile, { params: { id: caller.userId } });

    it('are checked: who may no longer sign in there is signed out, and groups count at once', async () => {
      const [closed, ended, gone, moved, same] = await Promise.all([person(), person(), person(), person(), person()]);
      const callers = [];
      for (const { username } of [closed, ended, gone, moved, same]) callers.push(await signedIn(username));
      await controller.set(closed.dn, { userAccountControl: '514' });
      await controller.set(ended.dn, { accountExpires: '132000000000000000' });
      await controller.remove(gone.dn);
      await controller.set('CN=Innermost,CN=Users,DC=ad,DC=test', { member: moved.dn });
      await recheck();
      const replies = await Promise.all(callers.map(profileOf));
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 200, 200]);
      const bodies = await Promise.all(replies.slice(3).map((reply) => reply.json()));
      const roles = bodies.map(({ data }) => data.acl.map(({ role }: { role: string }) => role).toSorted());
      expect(roles).toEqual([['admin', 'operator'], ['operator']]);
    });

    it('are signed out once another password was set in the directory, and stay signed in by that one', async () => {
      const [{ username, dn }, same] = await Promise.all([person(), person()]);
      const [caller, other] = [await signedIn(username), await signedIn(same.username)];
      await controller.setPassword(dn, NEW);
      const again = await signedIn(username, NEW);
      expect((await profileOf(caller)).status).toBe(401);
      await recheck();
      expect((await profileOf(again)).status).toBe(200);
      await controller.setPassword(dn, 'Y3t-An0ther-Passw0rd!');
      await recheck();
      expect((await profileOf(again)).status).toBe(401);
      expect((await profileOf(other)).status).toBe(200);
    });

    it('are signed out once another password has to be chosen', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      await controller.set(dn, { pwdLastSet: '0' });
      await recheck();
      expect((await profileOf(caller)).status).toBe(401);
    });

    it('stay signed in where the portal hears of their password for the first time', async () => {
      const { username } = await person();
      const caller = await signedIn(username);
      await execute(
        portal.database,
        sql`update users set directory_password_set_at = null where id = ${caller.userId}`,
      );
      const stored = sql`select directory_password_set_at is not null as "isKnown" from users where id = ${caller.userId}`;
      const signedInAgain = await signedIn(username);
      await recheck();
      expect(await row(portal.database, stored)).toEqual({ isKnown: true });
      expect((await profileOf(signedInAgain)).status).toBe(200);
    });

    it('hears of no older password from a controller that is behind', async () => {
      const caller = await signedIn((await person()).username);
      await execute(
        portal.database,
        sql`update users set directory_password_set_at = date_trunc('milliseconds', now()) + interval '1 day' where id = ${caller.userId}`,
      );
      const session = await signedIn(caller.username);
      await recheck();
      expect((await profileOf(session)).status).toBe(200);
    });

    it('open no session with a password that was replaced while they signed in', async () => {
      const { username } = await person();
      const caller = await signedIn(username);
      const holding = await portal.database.connect();
      await holding.query('begin');
      await holding.query('lock table authenticators in access exclusive mode');
      const reply = send(username);
      await untilOneWaits(portal.database);
      const set = { params: { id: caller.userId }, body: { password: NEW } };
      expect((await administrator.send(changeUserDirectoryPassword, set)).status).toBe(200);
      await holding.query('commit');
      holding.release();
      expect(await refusal(reply)).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
      expect(await rows(portal.database, sql`select from sessions where user_id = ${caller.userId}`)).toEqual([]);
    });

    /** Stores another instant while what is begun waits for the accounts of the provider. */
    async function replacedDuring<T>(userId: string, begin: () => Promise<T>): Promise<{ reply: T; instant: Date }> {
      const instant = new Date(Date.now() + 5_000);
      const holding = await portal.database.connect();
      await holding.query('begin');
      await lockProvider(holding, 1);
      const reply = begin();
      await untilOneWaits(portal.database, 5_000);
      const set = 'update users set directory_password_set_at = $2 where id = $1';
      await holding.query(set, [userId, instant]);
      await holding.query('commit');
      holding.release();
      return { reply: await reply, instant };
    }

    it('open no session with a password that was replaced right after it was proved', async () => {
      const caller = await signedIn((await person()).username);
      const { reply } = await replacedDuring(caller.userId, () => send(caller.username));
      expect(await refusal(Promise.resolve(reply))).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
      expect(await rows(portal.database, sql`select from sessions where user_id = ${caller.userId}`)).toEqual([]);
    });

    it('are not changed by what the directory said before their password was set through the portal', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      await controller.set(dn, { pwdLastSet: '0' });
      const { instant } = await replacedDuring(caller.userId, recheck);
      const stored = sql`select directory_password_set_at as at from users where id = ${caller.userId}`;
      expect(await row(portal.database, stored)).toEqual({ at: instant.toISOString() });
    });

    it('are left alone while something is being done to their account in the directory', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      const key = { providerId: 1, id: caller.userId };
      const claim = await claimAccount(portal.database, key, portal.clock.now);
      if (claim === null) throw new Error('Something else is being done to the account.');
      await controller.setPassword(dn, NEW);
      await recheck();
      expect((await profileOf(caller)).status).toBe(200);
      await releaseAccount(portal.database, key, claim);
      await recheck();
      expect((await profileOf(caller)).status).toBe(401);
    });

    it('go on in the session in which they changed their own password', async () => {
      const { username } = await person();
      const caller = await signedIn(username);
      const body = { password: PASSWORD_THERE, newPassword: NEW };
      const { data } = await caller.call(changeOwnDirectoryPassword, { params: { id: caller.userId }, body });
      await recheck();
      const next = portal.callerOf({ userId: caller.userId, username, token: data.token });
      expect((await profileOf(next)).status).toBe(200);
    });

    it('stay as they are while the directory does not answer', async () => {
      const caller = await signedIn((await person()).username);
      await unreachable(recheck);
      expect((await profileOf(caller)).status).toBe(200);
    });
  });

  describe('an account of the directory', () => {
    it('has no password in the portal, and gets none', async () => {
      const { username } = await person();
      const caller = await signedIn(username);
      const params = { id: caller.userId };
      const asPortal = { body: { username, password: PASSWORD_THERE } };
      expect((await portal.anonymous.send(signIn, asPortal)).status).toBe(401);
      const change = { params, body: { password: PASSWORD_THERE, newPassword: PASSWORD } };
      expect((await caller.send(changeOwnPassword, change)).status).toBe(409);
      const set = { params, body: { password: PASSWORD } };
      expect((await administrator.send(changeUserPassword, set)).status).toBe(409);
      expect((await administrator.send(inviteUser, { params })).status).toBe(409);
    });

    it('keeps what comes from the directory: roles, name and address', async () => {
      const { username } = await person();
      const caller = await signedIn(username);
      const params = { id: caller.userId };
      for (const body of [{ username: 'other-name' }, { name: 'Other' }, { email: 'other@ad.test' }])
        expect((await caller.send(editProfile, { params, body })).status).toBe(409);
      expect((await caller.send(editProfile, { params, body: { username, officePhone: '+1 555 0100' } })).status).toBe(
        200,
      );
      const { data } = await administrator.call(listUsers, { query: { ids: [caller.userId] } });
      const [listed] = data;
      if (listed === undefined) throw new Error('The user is not listed.');
      expect(listed.authType).toBe('ad');
      const { name, email } = listed;
      const edit = (changes: object) =>
        administrator.send(editUser, {
          params,
          body: { name, email, roles: ['operator'], isDisabled: false, ...changes },
        });
      expect((await edit({ roles: ['super-admin'] })).status).toBe(409);
      expect((await edit({ name: 'Other' })).status).toBe(409);
      expect((await edit({ isDisabled: true })).status).toBe(200);
    });

    it('makes keys for programs with the password of the directory', async () => {
      const caller = await signedIn((await person()).username);
      const make = (password: string) =>
        caller.send(createApiKey, {
          params: { id: caller.userId },
          body: { password, name: 'Key', abilities: ['monitoring.dashboard'], days: 1 },
        });
      const wrong = await refusal(make('wrong'));
      expect(wrong).toMatchObject({ status: 401, message: 'The current password is not valid.' });
      expect((await make(PASSWORD_THERE)).status).toBe(200);
    });
  });

  describe('POST profile/{id}/change-password/ad', () => {
    const change = (caller: Caller, password: string, newPassword: string) =>
      caller.send(changeOwnDirectoryPassword, { params: { id: caller.userId }, body: { password, newPassword } });

    it('200: changes the password there, ends every session, and goes on with a new one', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      const { data } = await (await change(caller, PASSWORD_THERE, NEW)).json();
      expect([await controller.tryPassword(dn, PASSWORD_THERE), await controller.tryPassword(dn, NEW)]).toEqual([
        '52e',
        'ok',
      ]);
      expect((await caller.send(getProfile, { params: { id: caller.userId } })).status).toBe(401);
      const onward = portal.callerOf({ ...caller, token: data.token });
      expect((await onward.send(getProfile, { params: { id: caller.userId } })).status).toBe(200);
    });

    it.each(['short', PASSWORD_THERE])('401: says that %j does not meet the requirements', async (password) => {
      const { username, dn } = await person();
      const refused = await refusal(change(await signedIn(username), PASSWORD_THERE, password));
      expect(refused).toMatchObject({ status: 401, code: 'PASSWORD_REFUSED', message: REQUIREMENTS });
      expect(await controller.tryPassword(dn, PASSWORD_THERE)).toBe('ok');
    });

    it('401: says that the current password is not valid; 409: for an account of the portal', async () => {
      const caller = await signedIn((await person()).username);
      const wrong = await refusal(change(caller, 'wrong', NEW));
      expect(wrong).toMatchObject({ status: 401, message: 'The current password is not valid.' });
      expect((await change(await portal.as('operator'), PASSWORD, NEW)).status).toBe(409);
    });
  });

  describe('a password that has to be changed first', () => {
    const change = (username: string, newPassword: string, password = PASSWORD_THERE) =>
      portal.anonymous.send(changeExpiredPassword, { body: { username, password, newPassword } });

    it('ends the sessions that were begun with the one before', async () => {
      const { username, dn } = await person();
      const before = await signedIn(username);
      await controller.set(dn, { pwdLastSet: '0' });
      expect((await change(username, NEW)).status).toBe(200);
      expect((await before.send(getProfile, { params: { id: before.userId } })).status).toBe(401);
    });

    it('is that of the same user by the principal name, and its change is in the own logs', async () => {
      const { username, dn } = await person();
      await controller.set(dn, { userPrincipalName: `${username}@ad.test` });
      const before = await signedIn(username);
      expect((await change(`${username}@ad.test`, NEW)).status).toBe(200);
      expect((await before.send(getProfile, { params: { id: before.userId } })).status).toBe(401);
      const entry = await row(
        portal.database,
        sql`select username, target_id as "targetId" from audit_entries where action = 'profile.change-password' and user_id = ${before.userId}`,
      );
      expect(entry).toEqual({ username, targetId: before.userId });
    });

    it.each([
      ['an administrator set it', ({ dn }: { dn: string }) => controller.set(dn, { pwdLastSet: '0' })],
      ['it has expired', ({ username }: { username: string }) => controller.expirePassword(username)],
    ])('is changed at the sign-in where %s', async (_, prepare) => {
      const pending = await person();
      await prepare(pending);
      const { username } = pending;
      expect(await refusal(send(username))).toMatchObject({ status: 401, code: 'PASSWORD_CHANGE_REQUIRED' });
      expect(await refusal(send(username, 'wrong'))).toMatchObject(WRONG);
      expect(await refusal(change(username, NEW, 'wrong'))).toMatchObject(WRONG);
      expect(await refusal(change('no-such-name', NEW))).toMatchObject(WRONG);
      expect(await refusal(change(username, 'short'))).toMatchObject({ status: 401, message: REQUIREMENTS });
      expect((await change(username, NEW)).status).toBe(200);
      expect(await rolesOf(await signedIn(username, NEW))).toEqual(['operator']);
    });
  });

  describe('PUT users/{id}/changePassword/ad', () => {
    it('200: sets a password that the user changes at the next sign-in, unlocks, and ends the sessions', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      for (let guess = 0; guess < 5; guess += 1) await controller.tryPassword(dn, 'wrong');
      const params = { id: caller.userId };
      const refused = await refusal(
        administrator.send(changeUserDirectoryPassword, { params, body: { password: 'short' } }),
      );
      expect(refused.message).toBe(REQUIREMENTS);
      await administrator.call(changeUserDirectoryPassword, { params, body: { password: NEW } });
      expect(await controller.tryPassword(dn, NEW)).toBe('773');
      expect((await caller.send(getProfile, { params })).status).toBe(401);
    });

    it('403: for who does not administer the roles; 409: for an account of the portal; 404: of another provider', async () => {
      const { userId: id } = await signedIn((await person()).username);
      const body = { password: NEW };
      const other = await portal.as('o365_admin');
      expect((await other.send(changeUserDirectoryPassword, { params: { id }, body })).status).toBe(403);
      const { userId } = await portal.as('operator');
      expect((await administrator.send(changeUserDirectoryPassword, { params: { id: userId }, body })).status).toBe(
        409,
      );
      const foreign = await portal.as(['super-admin', 'admin'], { providerId: 2 });
      expect((await foreign.send(changeUserDirectoryPassword, { params: { id }, body })).status).toBe(404);
    });
  });

  describe('secret questions', () => {
    it('are to be chosen by accounts of the directory, and are stored without the answers', async () => {
      const { username, caller } = await withQuestions();
      const params = { id: caller.userId };
      const { data } = await caller.call(getProfile, { params });
      expect(data.forceSecurityQuestions).toBe(false);
      const own = await caller.call(getOwnQuestions, { params });
      expect(own.data.questions).toEqual(SECRET_QUESTIONS.slice(0, 3));
      const shown = await portal.anonymous.call(findSecretQuestions, { params: { username } });
      expect(shown.data.questions).toEqual(own.data.questions);
      const stored = await row<{ answersHash: string }>(
        portal.database,
        sql`select answers_hash as "answersHash" from secret_questions where user_id = ${caller.userId}`,
      );
      expect(stored?.answersHash).toMatch(/^argon2id\$/);
    });

    it('422: are three different ones; 401: with the password; 409: of no account of the portal', async () => {
      const caller = await signedIn((await person()).username);
      const [first, second, third] = SECRET_QUESTIONS;
      const set = (who: Caller, password: string, last: (typeof SECRET_QUESTIONS)[number]) =>
        who.send(setOwnQuestions, {
          params: { id: who.userId },
          body: {
            password,
            first: chosenOf(first, 'One'),
            second: chosenOf(second, 'Two'),
            third: chosenOf(last, 'Three'),
          },
        });
      expect((await set(caller, PASSWORD_THERE, first)).status).toBe(422);
      expect((await set(caller, 'wrong', third)).status).toBe(401);
      expect((await set(await portal.as('operator'), PASSWORD, third)).status).toBe(409);
    });

    it('401: are refused in the words of a name that does not exist', async () => {
      const { username } = await withQuestions();
      const { requestId: _, ...words } = await refusal(answersOf(username, ['a', 'b', 'c']));
      expect(words).toMatchObject({ status: 401, message: 'Invalid security answers' });
      expect(await refusal(answersOf('no-such-name'))).toMatchObject(words);
    });

    it('429: cannot be guessed', async () => {
      const { username } = await withQuestions();
      const statuses: number[] = [];
      for (let guess = 0; guess < 5; guess += 1) statuses.push((await answersOf(username, ['a', 'b', 'c'])).status);
      expect(statuses).toEqual([401, 401, 401, 401, 429]);
      expect((await answersOf(username)).status).toBe(429);
    });

    it('make no difference of case, white space and punctuation', async () => {
      const { username } = await withQuestions();
      expect((await answersOf(username, [' ms. müller ', 'REX!', 'paris'])).status).toBe(200);
      expect((await answersOf(username, ['Ms Muller', 'Rex', 'Paris'])).status).toBe(401);
    });
  });

  describe('POST profile/unlock', () => {
    const unlock = (hash: string) => portal.anonymous.send(unlockAccount, { body: { hash } });

    it('200: unlocks the account for the right answers, once, and leaves the password', async () => {
      const { username, dn } = await withQuestions();
      for (let guess = 0; guess < 5; guess += 1) await controller.tryPassword(dn, 'wrong');
      const hash = await proofOf(username);
      const stored = await row(
        portal.database,
        sql`select from sign_in_challenges where token_hash::text like ${`%${hash}%`}`,
      );
      expect(stored).toBeNull();
      expect((await unlock(hash)).status).toBe(200);
      expect(await controller.tryPassword(dn, PASSWORD_THERE)).toBe('ok');
      expect(await refusal(unlock(hash))).toMatchObject({
        status: 401,
        message: expect.stringContaining('Invalid security answers'),
      });
      const { data } = await administrator.call(listUserLogs, { query: { limit: 20 } });
      expect(data.find((entry) => entry.username === username && entry.action === 'profile.unlock')).toBeDefined();
    });

    it('401: for a proof that is forged, too old, of another provider, or of a second factor', async () => {
      const hash = await proofOf((await withQuestions()).username);
      expect((await unlock(`${hash}x`)).status).toBe(401);
      await execute(
        portal.database,
        sql`update sign_in_challenges set purpose = 'second-factor' where purpose = 'secret-questions'`,
      );
      expect((await unlock(hash)).status).toBe(401);
      await execute(
        portal.database,
        sql`update sign_in_challenges set purpose = 'secret-questions' where purpose = 'second-factor'`,
      );
      portal.clock.now = new Date(portal.clock.now.getTime() + 6 * 60_000);
      expect((await unlock(hash)).status).toBe(401);
    });

    it('409: in the words of the portal where the account is gone', async () => {
      const { username, dn } = await withQuestions();
      const hash = await proofOf(username);
      await controller.remove(dn);
      expect(await refusal(unlock(hash))).toMatchObject({
        status: 409,
        message: 'The account has not been unlocked. Please, try later',
      });
    });
  });

  describe('POST profile/reset-password', () => {
    const reset = (hash: string, password = NEW) =>
      portal.anonymous.send(resetDirectoryPassword, { body: { hash, password } });

    it('200: sets a password that meets the requirements, once, unlocks, and ends every session', async () => {
      const { username, dn, caller } = await withQuestions();
      for (let guess = 0; guess < 5; guess += 1) await controller.tryPassword(dn, 'wrong');
      const hash = await proofOf(username);
      expect(await refusal(reset(hash, 'short'))).toMatchObject({ status: 401, message: REQUIREMENTS });
      expect((await reset(hash)).status).toBe(200);
      expect(await controller.tryPassword(dn, NEW)).toBe('ok');
      expect((await caller.send(getProfile, { params: { id: caller.userId } })).status).toBe(401);
      expect((await reset(hash, `${NEW}2`)).status).toBe(401);
      expect(await controller.tryPassword(dn, NEW)).toBe('ok');
    });

    it.each([
      ['two proofs', 2],
      ['one proof', 1],
    ])('sets the password of one of two that come at once with %s; the other one changes nothing', async (_, count) => {
      const { username, dn } = await withQuestions();
      const first = await proofOf(username);
      const second = count === 1 ? first : await proofOf(username);
      const passwords = [`${NEW}1`, `${NEW}2`];
      const replies = await Promise.all([reset(first, passwords[0]), reset(second, passwords[1])]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const tried = [];
      for (const password of passwords) tried.push(await controller.tryPassword(dn, password));
      expect(tried.map((said) => said === 'ok')).toEqual(replies.map(({ status }) => status === 200));
      // What was refused is over, too.
      expect((await reset(second)).status).toBe(401);
    });
  });

  describe('a forgotten password', () => {
    it('is set in the directory by a link that is mailed, once, where it meets the requirements', async () => {
      const { username, dn } = await person();
      const caller = await signedIn(username);
      await portal.anonymous.call(requestPasswordLink, { body: { login: `${username}@ad.test` } });
      mails.received.length = 0;
      const order = sendAccountMailJob.payload.parse(portal.sent.at(-1)?.payload);
      const services = { ...mailServices(portal.database), now: () => portal.clock.now };
      await sendAccountMail(services, order, new AbortController().signal);
      const hash = /(?<=hash=)[\w-]+/.exec(plainText(mails.received[0]))?.[0] ?? '';
      const set = (password: string) => portal.anonymous.send(setPasswordByLink, { body: { hash, password } });
      expect(await refusal(set('allofthemlowercase'))).toMatchObject({ status: 401, message: REQUIREMENTS });
      const [one, other] = await Promise.all([set(NEW), set(`${NEW}3`)]);
      const statuses = [one.status, other.status];
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const isOne = one.status === 200;
      expect(await controller.tryPassword(dn, isOne ? NEW : `${NEW}3`)).toBe('ok');
      expect(await controller.tryPassword(dn, isOne ? `${NEW}3` : NEW)).toBe('52e');
      expect((await set(`${NEW}2`)).status).toBe(404);
      expect((await caller.send(getProfile, { params: { id: caller.userId } })).status).toBe(401);
      expect((await portal.anonymous.send(signIn, { body: { username, password: NEW } })).status).toBe(401);
    });
  });
});
