import {
  checkSecretAnswers,
  findSecretQuestions,
  getOwnQuestions,
  setOwnQuestions,
} from '@keepwatch/contract/identity/secret-questions';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { findUserById, findUserByName, type StoredUser } from '../../directory/users.ts';
import type { Pool } from '../../foundation/database.ts';
import { conflict, invalid, notFound, Refusal } from '../../foundation/errors.ts';
import { requireOwn } from '../../foundation/http/access.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { changeOwn } from '../change-own.ts';
import { providerOf } from '../provider-of.ts';
import { recordingRefusals } from '../recording-refusals.ts';
import { requireCurrentPassword } from '../require-current-password.ts';
import { newChallenge } from '../second-factors/challenges.ts';
import { countAttempt, uncountAttempt } from '../sign-in-attempts.ts';
import { areAnswers, questionsOf, sealAnswers, shownQuestions, storeQuestions } from './secret-questions.ts';

/** The calls about secret questions, which accounts of a directory have. */
export function secretQuestionCalls(services: ConnectionServices): Route[] {
  return [
    answer(findSecretQuestions, async (context, { params: { username } }) => {
      const providerId = await providerOf(context);
      const user = await findDirectoryUser(context.database, providerId, username);
      const questions = await shownQuestions(context.database, services.secrets, { providerId, username, user });
      return { data: { questions: [...questions] } };
    }),

    answer(checkSecretAnswers, async (context, { body: { username, answers } }) => {
      const { database, address, now } = context;
      const providerId = await providerOf(context);
      const attempt = { providerId, username, address, knownDevice: null, proves: 'secret answers' } as const;
      const proved = async () => {
        await countAttempt(database, attempt, now());
        const user = await findDirectoryUser(database, providerId, username);
        if (!(await areAnswers(database, user, answers)) || user === null)
          throw new Refusal(401, 'WRONG_CREDENTIALS', checkSecretAnswers.failure);
        await uncountAttempt(database, attempt);
        return user;
      };
      const user = await recordingRefusals(context, attempt, proved(), 'session.refused-answers');
      return { data: { hash: await newChallenge(database, user, 'secret-questions', now()) } };
    }),

    answer(getOwnQuestions, async (context, { params: { id } }) => {
      requireOwn(context.actor, id);
      const questions = await questionsOf(context.database, { providerId: context.scope.providerId, id });
      return { data: { questions: [...questions] } };
    }),

    answer(setOwnQuestions, async (context, { params: { id }, body }) => {
      requireOwn(context.actor, id);
      const key = { providerId: context.scope.providerId, id: context.actor.userId };
      const user = await findUserById(context.database, key.providerId, key.id);
      if (user === null) throw notFound('profile');
      if (user.directoryAccount === null)
        throw conflict('Only accounts of a directory have secret questions. Ask for a link by mail instead.');
      await requireCurrentPassword(context, services, body.password);
      const chosen = [body.first, body.second, body.third];
      if (new Set(chosen.map(({ question }) => question)).size < chosen.length)
        throw invalid([{ path: 'body.third.question', message: 'Choose three different questions.' }]);
      const sealed = await sealAnswers(chosen);
      await changeOwn(context, { kind: 'user', id: key.id }, async (connection) => {
        await storeQuestions(connection, key, sealed);
        return { result: null };
      });
      return {};
    }),
  ];
}

/** The living user of a name, if its account is in a directory. */
async function findDirectoryUser(database: Pool, providerId: number, username: string): Promise<StoredUser | null> {
  const user = await findUserByName(database, providerId, username);
  return user?.directoryAccount == null ? null : user;
}
