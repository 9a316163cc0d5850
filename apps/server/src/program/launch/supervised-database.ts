import { reasonOf } from '../../foundation/errors.ts';
import { LaunchError } from './launch-error.ts';
import { type RestartContext, restartPauses } from './restart-pauses.ts';

/** A database that is ready; `restart` starts one of ours again after it has ended unexpectedly, `stop` ends it. */
export type LaunchedDatabase = { url: string; restart(): Promise<void>; stop(): Promise<void> };

/** Opens a database; calls `onExit` each time one of ours ends unexpectedly, with how it ended. */
export type OpenDatabase = (onExit: (how: string) => void) => Promise<LaunchedDatabase>;

/**
 * Opens the database and starts it again whenever it ends unexpectedly, until the context asks for the end. The roles
 * connect to it again on their own. Calls `fail` when it is given up.
 */
export async function superviseDatabase(
  openDatabase: OpenDatabase,
  context: RestartContext,
  fail: (error: unknown) => void,
): Promise<LaunchedDatabase> {
  const pauseAfterEnd = restartPauses('PostgreSQL', context);
  let database: LaunchedDatabase | undefined;
  const startAgain = async (how: string) => {
    if (database === undefined) throw new LaunchError(`PostgreSQL ended while it was started (${how}).`);
    for (let what = `ended with ${how}`; ; ) {
      await pauseAfterEnd(what);
      if (context.ending.aborted) return;
      const failure = await database.restart().then(() => undefined, reasonOf);
      if (failure === undefined) return;
      what = `could not be started again: ${failure.replace(/\.$/, '')}`;
    }
  };
  database = await openDatabase((how) => void startAgain(how).catch(fail));
  return database;
}
