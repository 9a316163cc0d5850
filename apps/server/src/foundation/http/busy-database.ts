/** After how many seconds a call may be sent again that met a busy database, and one that is being started. */
const BUSY_SECONDS = 30;
const STARTING_SECONDS = 5;

/** PostgreSQL's `query_canceled`: a statement worked, or waited for others, longer than it may. */
const OVER_TIME = '57014';
/** Connections that broke or were refused: PostgreSQL's classes 08 and 57P0, and the system's own codes. */
const LOST = /^(08\w{3}|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE)$/;
/** What node-postgres says without a code. */
const LOST_TEXT =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** For a failure of the database that will pass: in how many seconds to try again; otherwise `null`. */
export function retryAfterSeconds(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  if (code === OVER_TIME) return BUSY_SECONDS;
  return LOST.test(code) || LOST_TEXT.test(error.message) ? STARTING_SECONDS : null;
}
