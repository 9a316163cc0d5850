import {
  checkSecretAnswers,
  findSecretQuestions,
  getOwnQuestions,
  SECRET_QUESTIONS,
  setOwnQuestions,
} from '@keepwatch/contract/identity/secret-questions';
import {
  changeOwnDirectoryPassword,
  changeUserDirectoryPassword,
  signInByDirectory,
} from '@keepwatch/contract/identity/user-directory';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const [first, second, third] = SECRET_QUESTIONS;
const chosen = {
  first: { question: first, answer: 'One' },
  second: { question: second, answer: 'Two' },
  third: { question: third, answer: 'Three' },
};
const set = (caller: Caller, id = caller.userId) =>
  caller.send(setOwnQuestions, { params: { id }, body: { password: PASSWORD, ...chosen } });
const change = (caller: Caller, id = caller.userId) =>
  caller.send(changeOwnDirectoryPassword, {
    params: { id },
    body: { password: PASSWORD, newPassword: 'another long password' },
  });
const answer = (username: string) =>
  portal.anonymous.send(checkSecretAnswers, { body: { username, answers: ['a', 'b', 'c'] } });

describe('a portal without a directory', () => {
  it('409: says so to a sign-in with one', async () => {
    const body = { username: 'person', password: 'something' };
    const refused = await refusal(portal.anonymous.send(signInByDirectory, { body }));
    expect(refused).toMatchObject({ status: 409, code: 'NO_DIRECTORY' });
  });

  it('409: changes no password of its own accounts there, and has no secret questions of them', async () => {
    const person = await portal.as('operator');
    const administrator = await portal.as('admin');
    const body = { password: 'another long password' };
    const params = { id: person.userId };
    const replies = [set(person), change(person), administrator.send(changeUserDirectoryPassword, { params, body })];
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await person.call(getOwnQuestions, { params })).data.questions).toEqual([]);
  });

  it('404: of another user, or of none', async () => {
    const person = await portal.as('operator');
    const { userId } = await portal.as('operator');
    const administrator = await portal.as('admin');
    const replies = await Promise.all([
      set(person, userId),
      change(person, userId),
      person.send(getOwnQuestions, { params: { id: userId } }),
      administrator.send(changeUserDirectoryPassword, { params: { id: newId() }, body: { password: PASSWORD } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe('the secret questions of names without any', () => {
  const shown = async (username: string) =>
    (await portal.anonymous.call(findSecretQuestions, { params: { username } })).data.questions;

  it('are three, always the same for a name in any case, and not those of all other names', async () => {
    const { username } = await portal.as('operator');
    for (const name of ['no-such-name', username, 'A b/c%']) {
      const questions = await shown(name);
      expect(new Set(questions).size).toBe(3);
      expect(await shown(name.toUpperCase())).toEqual(questions);
    }
    const ofMany = await Promise.all(Array.from({ length: 20 }, (_, at) => shown(`name-${at}`)));
    expect(new Set(ofMany.map((questions) => questions.join())).size).toBeGreaterThan(5);
  });

  it('do not show by letters that only the database or only JavaScript takes for plain ones that an account exists', async () => {
    const { userId } = await portal.as('operator');
    await execute(
      portal.database,
      sql`update users set username = 'iiii-kkkk-real', directory_account = ${userId}, password_hash = 'none' where id = ${userId}`,
    );
    const questions = sql.param([first, second, third]);
    await execute(
      portal.database,
      sql`insert into secret_questions (provider_id, user_id, questions, answers_hash) values (1, ${userId}, ${questions}::text[], 'none')`,
    );
    const likeShownAt = async (name: string, letter: string) => {
      const places = [0, 1, 2, 3].map((at) => (letter === '\u0130' ? at : at + 5));
      const likes = places.map((at) => shown(name.slice(0, at) + letter + name.slice(at + 1)));
      return Promise.all([shown(name), ...likes]);
    };
    // Each has some of its own: that all five are the same by chance does not happen.
    for (const name of ['iiii-kkkk-real', 'iiii-kkkk-fake'])
      for (const letter of ['\u0130', '\u212a'])
        expect(new Set((await likeShownAt(name, letter)).map(String)).size).toBeGreaterThan(1);
  });

  it('401: have no right answers; 429: and are guessed four times in ten minutes at most', async () => {
    const { username } = await portal.as('operator');
    for (const name of ['no-such-name', username]) {
      expect(await refusal(answer(name))).toMatchObject({ status: 401, message: 'Invalid security answers' });
      const statuses: number[] = [];
      for (let guess = 0; guess < 4; guess += 1) statuses.push((await answer(name)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    }
  });
});
