import { type NewRepository, Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { createRepository, openStore, requireEmptyPlace } from '@keepwatch/engine/engine';
import { enginePlaceOf, secretsOf, storedPlaceOf, storeEnvironment } from './repository-place.ts';
import { testPlace } from './test-place.ts';

/** Tests a place and makes a repository in it. @returns its id by the engine @throws `Refused`, `EngineError` for the place and the password */
export async function makeRepository(given: NewRepository, signal: AbortSignal): Promise<string> {
  const { place, password, immutableDays } = given;
  if (place.kind === 'folder' && immutableDays > 0) throw new Refused('NOT_IMMUTABLE', FOLDER_LOCK, 'immutableDays');
  if (place.kind === 'folder' && !place.path.startsWith('/')) throw new Refused('PLACE_REFUSED', NO_PATH, 'place.path');
  const stored = storedPlaceOf(place);
  const enginePlace = enginePlaceOf(stored, immutableDays);
  const store = await openStore(enginePlace, storeEnvironment(secretsOf(place, password)));
  try {
    await requireEmptyPlace(enginePlace, store);
    await testPlace(store, immutableDays > 0, signal);
    return (await createRepository(store, password)).id;
  } finally {
    await store.close();
  }
}

const FOLDER_LOCK = 'A folder cannot be locked against deletion. Choose a bucket with object lock, or 0 days.';
const NO_PATH = 'must be the whole path of a folder on the workers, such as /backups/contoso';
