import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';
import { EngineError } from '../../model/engine-error.ts';
import { type CommandEnd, EXIT_CODES } from '../command.ts';
import { withRemedy } from './remedies.ts';

/** What a person sees of an error, and how the program ends. */
export interface Explanation {
  message: string;
  code: string;
  isRetryable: boolean;
  exitCode: number;
}

/** One line for every error that can be expected; a stack only for an unexpected one, which is a fault of the program. */
export function explainError(error: unknown): Explanation {
  if (error instanceof EngineError) {
    const { code, isRetryable } = error;
    return { message: withRemedy(error), code, isRetryable, exitCode: EXIT_CODES[endOf(code)] };
  }
  const exitCode = EXIT_CODES.Failed;
  // It speaks of the portal's variable; this program's has another name.
  if (error instanceof EmbeddedDatabaseError)
    return {
      message: error.message.replaceAll('DATA_DIR', 'KEEPWATCH_ENGINE_DATA'),
      code: 'database',
      isRetryable: false,
      exitCode,
    };
  const database = databaseTrouble(error);
  if (database !== null) return { message: database, code: 'database', isRetryable: true, exitCode };
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `Something happened that this program does not expect. Please report it with these lines:\n${trace}`;
  return { message, code: 'unexpected', isRetryable: false, exitCode };
}

function endOf(code: EngineError['code']): CommandEnd {
  if (code === 'bad-request') return 'Usage';
  return code === 'stopped' ? 'Stopped' : 'Failed';
}

/** SQLSTATE, https://www.postgresql.org/docs/18/errcodes-appendix.html; by code or by class. */
const DATABASE_ADVICE: Readonly<Record<string, string>> = {
  '08': 'The connection to it was lost. Start again when it is back.',
  '28': 'It refuses the user or the password of the database address. Correct it.',
  '3D000': 'It has no such database. Create it, or correct the database address.',
  '40': 'Two programs waited for each other, and it ended this one. Start again; what was committed so far is safe.',
  '42501': 'The user may not do this there. Make it the owner of the database.',
  '53': 'It has no room left: disk, memory or connections. Give it more, and start again.',
  '57014': 'A time limit of it ended what was asked. Raise its statement_timeout for this user.',
  '57': 'It was shut down. Start again when it is back.',
  '58': 'Its disk has a fault. See its own log.',
  XX: 'It has a fault. See its own log.',
};

/** What the driver says without a code, the last two when a lost connection is used once more. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** One line for what goes wrong between this program and its PostgreSQL; `null` for everything else. */
export function databaseTrouble(error: unknown): string | null {
  const inner = innermost(error);
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
  if ('severity' in inner) {
    const advice = DATABASE_ADVICE[code] ?? DATABASE_ADVICE[code.slice(0, 2)];
    return advice === undefined ? null : `The catalog's database answered: ${inner.message} (${code}). ${advice}`;
  }
  const isLost = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/.test(code);
  if (!isLost && !LOST_CONNECTION.test(inner.message)) return null;
  return `The catalog's database cannot be reached: ${inner.message || code}. Check that it runs and that the database address is right; what was committed so far is safe.`;
}

/** Node reports a host with several addresses as an error without a message, around one for each address. */
function innermost(error: unknown): Error {
  const [first] = error instanceof AggregateError ? error.errors : [];
  if (first !== undefined) return innermost(first);
  return error instanceof Error ? error : new Error(String(error));
}
