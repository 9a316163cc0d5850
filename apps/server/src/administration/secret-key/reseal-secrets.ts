import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Connection, type Pool, transaction } from '../../foundation/database.ts';
import { declareJob } from '../../foundation/jobs.ts';
import type { Log } from '../../foundation/log.ts';
import type { SealedColumn, SealedCounts } from '../../foundation/sealed-column.ts';
import type { KeyIds, SecretBox } from '../../foundation/secrets.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';
import { endRotation, readMarks, settleMarks } from './secret-marks.ts';

/** Rows are locked until their batch is done: few at a time, so that no user waits for them. */
const BATCH = 100;

/** Seals with the key in force what is sealed with the previous one. What is done is in the values themselves: killed at any point, the next run goes on. */
export const resealSecretsJob = declareJob({
  name: 'administration.reseal-secrets',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3_600,
  cron: '* * * * *',
  atStart: true,
});

export interface ResealServices {
  database: Pool;
  secrets: SecretBox;
  now(): Date;
  log: Log;
}

/** Does what the job says, while there is a previous key; also for what a machine sealed with that one meanwhile. */
export async function resealSecrets(services: ResealServices, signal: AbortSignal): Promise<void> {
  const { database, secrets, now, log } = services;
  if (secrets.keys().previous === null) return;
  await transaction(database, (connection) => settleMarks(connection, secrets, now()));
  let done = 0;
  for (const column of SEALED_COLUMNS) done += await resealColumn(services, column, signal);
  const hasEnded = await transaction(database, (connection) => endWhenDone(connection, secrets.keys()));
  if (done > 0 || hasEnded) log.info({ done, hasEnded }, 'stored secrets were sealed with the key in force');
}

async function resealColumn(
  { database, secrets }: ResealServices,
  column: SealedColumn,
  signal: AbortSignal,
): Promise<number> {
  for (let done = 0; ; ) {
    signal.throwIfAborted();
    const some = await transaction(database, (connection) => column.reseal(connection, secrets, BATCH));
    if (some === 0) return done;
    done += some;
  }
}

/** Whether the previous key has just become needless. */
async function endWhenDone(connection: Connection, keys: KeyIds): Promise<boolean> {
  const marks = await readMarks(connection, sql`for update`);
  if (marks === null || marks.next === null) return false;
  const { previous } = await countSealed(connection, keys);
  if (previous > 0) return false;
  await endRotation(connection, marks);
  return true;
}

/** Counts the values of all columns. */
export async function countSealed(connection: Connection, keys: KeyIds): Promise<SealedCounts> {
  const total = { all: 0, previous: 0, lost: 0 };
  for (const column of SEALED_COLUMNS) {
    const { all, previous, lost } = await column.count(connection, keys);
    total.all += all;
    total.previous += previous;
    total.lost += lost;
  }
  return total;
}
