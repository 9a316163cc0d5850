/** After how many seconds a call may be sent again that met a busy database, and one that is being started. */
const BUSY_SECONDS = 30;
const STARTING_SECONDS = 5;

/** What will pass with the load: a statement worked or waited longer than it may (57014), no room on the disk (53100), in memory or for connections. */
const BUSY = /^(57014|53[0-9]{3})$/;
/** What the pool says, without a code, when no connection became free or was made in time. */
const BUSY_TEXT = /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;
/** Connections that broke or were refused: PostgreSQL's classes 08 and 57P0, and the system's own codes. */
const LOST = /^(08\w{3}|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE)$/;
/** What node-postgres says without a code. */
const LOST_TEXT = /^(Connection terminated|Client has encountered a connection error)/;

/** For a failure of the database that will pass: in how many seconds to try again; otherwise `null`. */
export function retryAfterSeconds(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  if (BUSY.test(code) || BUSY_TEXT.test(error.message)) return BUSY_SECONDS;
  return LOST.test(code) || LOST_TEXT.test(error.message) ? STARTING_SECONDS : null;
}
