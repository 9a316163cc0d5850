import { Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { EngineError } from '@keepwatch/engine/engine';
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
  return new Refusal(409, error.code.toUpperCase().replaceAll('-', '_'), error.message, { cause: error });
}

/** Does work of an engine; what it refuses is thrown as the refusal of the call. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
