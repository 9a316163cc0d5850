import * as z from 'zod/mini';
import { declareCall, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { id, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword } from './password-fields.ts';

/** What users choose from. What others find out easily is not among them. */
export const SECRET_QUESTIONS = [
  'What was the name of your first teacher?',
  'What was the name of your first pet?',
  'In which town did your parents meet?',
  'What was the first concert you went to?',
  'What was the model of your first car?',
  'What was your nickname as a child?',
  'In which street did your best friend of school days live?',
  'What did you want to become as a child?',
  'What was the first dish you learned to cook?',
  'Where did you go on your first flight?',
] as const;

/** How many questions a user chooses. */
export const QUESTIONS_COUNT = 3;

const question = z.enum(SECRET_QUESTIONS);
const answer = text(200).check(
  z.refine((given) => plainAnswer(given).length >= 2, 'must have at least 2 letters or digits'),
);

const chosen = z.strictObject({ question, answer });

/** An answer as it counts: case, accents of composition, punctuation and white space make no difference. */
export function plainAnswer(given: string): string {
  return given
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export const findSecretQuestions = declareCall({
  method: 'GET',
  path: '/auth/validate/{username}',
  access: 'public',
  params: z.strictObject({ username: text(200) }),
  ...itemOf(z.object({ questions: z.array(z.string()) })),
  failure: 'Invalid username',
  summary: 'The secret questions of a user name. A name that does not exist has some, too, always the same.',
});

export const checkSecretAnswers = declareCall({
  method: 'POST',
  path: '/auth/validate/secret-questions',
  access: 'public',
  audit: null, // The handler records session.refused-answers of those who are not let in; what is done with them has an action of its own
  body: z.strictObject({
    username: text(200).check(z.minLength(1)),
    answers: z.array(text(200)).check(z.minLength(QUESTIONS_COUNT), z.maxLength(QUESTIONS_COUNT)),
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  /** With the hash the account is unlocked, or its password reset, within five minutes and once. */
  ...itemOf(z.object({ hash: z.string() })),
  failure: 'Invalid security answers',
  summary: 'Gives a proof of who answers the secret questions of a user name, in their order.',
});

export const getOwnQuestions = declareCall({
  method: 'GET',
  path: '/profile/{id}/security-questions',
  access: 'signed-in',
  params: z.strictObject({ id }),
  /** Empty: none were chosen yet. */
  ...itemOf(z.object({ questions: z.array(z.string()) })),
  failure: 'The secret questions could not be read, try again later.',
  summary: "The user's own secret questions, without the answers.",
});

export const setOwnQuestions = declareCall({
  method: 'PUT',
  path: '/profile/{id}/security-questions',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.set-questions',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword, first: chosen, second: chosen, third: chosen }),
  ...done,
  failure: 'The secret questions could not be saved, try again later.',
  summary: 'Chooses the secret questions of an account of a directory, and their answers.',
});
