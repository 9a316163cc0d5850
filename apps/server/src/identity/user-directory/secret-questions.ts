import { plainAnswer, QUESTIONS_COUNT, SECRET_QUESTIONS } from '@keepwatch/contract/identity/secret-questions';
import { sql } from 'drizzle-orm';
import { comparedName, type StoredUser } from '../../directory/users.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { markOf } from '../../foundation/marks.ts';
import { hashOfPassword, isPassword, type SecretBox } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { secretQuestions } from '../tables.ts';

interface UserKey {
  providerId: number;
  id: string;
}

interface Stored {
  questions: readonly string[];
  answersHash: string;
}

/** Compared with where there is no such user, or one who has chosen no questions, so that the answer takes as long either way. */
const NO_ANSWERS = hashOfPassword('no user has these answers');

/** The questions that a user has chosen; none where that is still to be done. */
export async function questionsOf(connection: Connection, user: UserKey): Promise<readonly string[]> {
  return (await findStored(connection, user))?.questions ?? [];
}

/** Whether nothing but the page for secret questions is to open: the unlock and the reset of an account of a directory need them. */
export async function mustChooseQuestions(
  connection: Connection,
  user: UserKey & Pick<StoredUser, 'directoryAccount'>,
): Promise<boolean> {
  return user.directoryAccount !== null && (await findStored(connection, user)) === null;
}

/**
 * The questions for a user name, before it is known who asks. A name that does not exist has some, too, which are always the same and cannot be worked
 * out from outside.
 */
export async function shownQuestions(
  connection: Connection,
  secrets: SecretBox,
  { providerId, username, user }: { providerId: number; username: string; user: UserKey | null },
): Promise<readonly string[]> {
  // For a name that exists, too, so that the answer takes as long.
  const named = comparedName(username) ?? username;
  const mark = await markOf(connection, secrets, `${providerId} ${named}`, 'secret questions');
  const invented = inventedQuestions(mark);
  const stored = await findStored(connection, user ?? { providerId, id: NO_USER });
  return stored?.questions ?? invented;
}

const NO_USER = '00000000-0000-0000-0000-000000000000';

/** Draws questions by bytes that look random, and puts them in the order in which those of users are. */
function inventedQuestions(mark: Buffer): readonly string[] {
  const left: string[] = [...SECRET_QUESTIONS];
  const drawn = Array.from({ length: QUESTIONS_COUNT }, (_, at) =>
    left.splice(mark.readUInt32BE(4 * at) % left.length, 1),
  );
  return inOrder(drawn.flat());
}

function inOrder(questions: readonly string[]): readonly string[] {
  return SECRET_QUESTIONS.filter((question) => questions.includes(question));
}

/** Whether these are the answers of a user, in the order of the questions. */
export async function areAnswers(
  connection: Connection,
  user: UserKey | null,
  answers: readonly string[],
): Promise<boolean> {
  const stored = user === null ? null : await findStored(connection, user);
  const isRight = await isPassword(joined(answers), stored?.answersHash ?? (await NO_ANSWERS));
  return isRight && stored !== null;
}

/** What is hashed of the answers: all of them together, so that none can be guessed without the others. */
function joined(answers: readonly string[]): string {
  return JSON.stringify(answers.map(plainAnswer));
}

/** What is stored of chosen questions. */
export async function sealAnswers(chosen: readonly { question: string; answer: string }[]): Promise<Stored> {
  const questions = inOrder(chosen.map(({ question }) => question));
  const answers = questions.map((question) => chosen.find((one) => one.question === question)?.answer ?? '');
  return { questions, answersHash: await hashOfPassword(joined(answers)) };
}

export async function storeQuestions(
  connection: Connection,
  { providerId, id: userId }: UserKey,
  stored: Stored,
): Promise<void> {
  await insert(
    connection,
    secretQuestions,
    { providerId, userId, ...stored },
    sql`on conflict (provider_id, user_id) do update set questions = excluded.questions, answers_hash = excluded.answers_hash`,
  );
}

function findStored(connection: Connection, { providerId, id }: UserKey): Promise<Stored | null> {
  return row<Stored>(
    connection,
    sql`select questions, answers_hash as "answersHash" from secret_questions where provider_id = ${providerId} and user_id = ${id}`,
  );
}
