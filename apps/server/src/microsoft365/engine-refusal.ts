import { Missing, Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { RefusalCode } from '@keepwatch/contract/wire/refusal-codes';
import { EngineError, type EngineErrorCode } from '@keepwatch/engine/engine';
import { invalid, notFound, Refusal } from '../foundation/errors.ts';

/** What a user can correct, as the refusal of a call: `Refused` and `Missing` of an engine and the engine's own errors. Everything else stays a fault. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof Missing) return notFound(error.what);
  if (error instanceof Refused) {
    if (error.field !== null) return invalid([{ path: error.field, message: error.message }], error.message);
    return new Refusal(409, error.code, error.message, { cause: error });
  }
  return error instanceof EngineError ? engineRefusal(error) : error;
}

/** An error of the engine, whose message is for a person, as the refusal of a call. */
export function engineRefusal(error: EngineError, status = 409, codes = ENGINE_CODES): Refusal {
  return new Refusal(status, codes[error.code], error.message, { cause: error });
}

/** The engine's codes as calls answer them. */
export const ENGINE_CODES: Readonly<Record<EngineErrorCode, RefusalCode>> = {
  'wrong-password': 'WRONG_PASSWORD',
  'no-repository': 'NO_REPOSITORY',
  'repository-exists': 'REPOSITORY_EXISTS',
  'newer-repository': 'NEWER_REPOSITORY',
  damaged: 'DAMAGED',
  locked: 'LOCKED',
  'run-closed': 'RUN_CLOSED',
  'store-refused': 'STORE_REFUSED',
  'store-full': 'STORE_FULL',
  'store-unreachable': 'STORE_UNREACHABLE',
  'not-found': 'NOT_FOUND',
  'source-refused': 'SOURCE_REFUSED',
  'source-full': 'SOURCE_FULL',
  'consent-missing': 'CONSENT_MISSING',
  'credentials-refused': 'CREDENTIALS_REFUSED',
  'certificate-expired': 'CERTIFICATE_EXPIRED',
  'source-unreachable': 'SOURCE_UNREACHABLE',
  'source-gone': 'SOURCE_GONE',
  'wrong-clock': 'WRONG_CLOCK',
  'bad-request': 'BAD_REQUEST',
  stopped: 'STOPPED',
};

/** Does work of an engine; what it refuses is thrown as the refusal of the call. Everything that `toRefusal` gives back as it is stays a fault. */
export async function refusing<T>(work: () => Promise<T>, toRefusal = refusalOf): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRefusal(error);
  }
}
