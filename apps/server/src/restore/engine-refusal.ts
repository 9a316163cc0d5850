import { EngineError } from '@keepwatch/engine/engine';
import { engineRefusal, refusing as refusingAs } from '../microsoft365/engine-refusal.ts';

/** What a person can do something about, as the refusal of a call; everything else stays a fault. */
export const refusing = <T>(work: () => Promise<T>): Promise<T> => refusingAs(work, refusalOf);

/** Turns an error of the engine, whose message is for a person, into a refusal: 404 for what is not there, else 409. */
export function refusalOf(error: unknown): unknown {
  return error instanceof EngineError ? engineRefusal(error, error.code === 'not-found' ? 404 : 409) : error;
}
