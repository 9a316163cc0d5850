import { Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { RefusalCode } from '@keepwatch/contract/wire/refusal-codes';
import { EngineError, type EngineErrorCode } from '@keepwatch/engine/engine';
import { invalid, Refusal } from '../foundation/errors.ts';

/** What a user can correct, as the refusal of a call: `Refused` of an engine and the engine's own errors. Everything else stays a fault. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof Refused) {
    if (error.field !== null) return invalid([{ path: error.field, message: error.message }], error.message);
    return new Refusal(409, error.code, error.message, { cause: error });
  }
  if (error instanceof EngineError) return conflictOf(error);
  return error;
}

function conflictOf(error: EngineError): Refusal {
  return new Refusal(409, ENGINE_CODES[error.code], error.message, { cause: error });
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
  'consent-missing': 'CONSENT_MISSING',
  'credentials-refused': 'CREDENTIALS_REFUSED',
  'certificate-expired': 'CERTIFICATE_EXPIRED',
  'source-unreachable': 'SOURCE_UNREACHABLE',
  'source-gone': 'SOURCE_GONE',
  'wrong-clock': 'WRONG_CLOCK',
  'bad-request': 'BAD_REQUEST',
  stopped: 'STOPPED',
};

/** Does work of an engine; what it refuses is thrown as the refusal of the call. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
