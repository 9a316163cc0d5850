import { EngineError } from './engine-error.ts';

/** Returns what was read; `null` for what is missing or damaged, where the caller can go on without it. */
export async function orDamaged<Read>(reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'damaged' || error.code === 'not-found')) return null;
    throw error;
  }
}
