import { EngineError } from '@keepwatch/engine/engine';
import { Refusal } from '../foundation/errors.ts';
import { ENGINE_CODES } from '../microsoft365/engine-refusal.ts';

/** What a person can do something about, as the refusal of a call; everything else stays a fault. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Turns an error of the engine, whose message is for a person, into a refusal: 404 for what is not there, else 409. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const status = error.code === 'not-found' ? 404 : 409;
  return new Refusal(status, ENGINE_CODES[error.code], error.message, { cause: error });
}
