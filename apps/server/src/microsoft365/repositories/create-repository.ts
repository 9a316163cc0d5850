import { type NewRepository, Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { createRepository, requireEmptyPlace } from '@keepwatch/engine/engine';
import type { Connection } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';
import { openPlace } from './open-place.ts';
import { type PlaceRules, requireAllowedPlace, wholePlace } from './place-rules.ts';
import { type InsertedRepository, isPlaceUsed } from './repositories.ts';
import { enginePlaceOf, secretsOf, storedPlaceOf } from './repository-place.ts';
import { sealRepositorySecrets } from './repository-secrets.ts';
import { testPlace } from './test-place.ts';

/** Makes a repository in a place that no other one has, and returns what is to be stored of it. @throws `Refused`, `EngineError` */
export async function prepareRepository(
  { database, secrets, stored: { rules } }: Pick<Microsoft365Services, 'secrets' | 'stored'> & { database: Connection },
  { providerId, id: organizationId }: OrganizationKey,
  given: NewRepository,
  signal: AbortSignal,
): Promise<InsertedRepository> {
  const { name, password, passwordDescription, retentionYears, immutableDays } = given;
  const place = wholePlace(given.place, rules);
  await requireAllowedPlace(place, rules);
  const stored = storedPlaceOf(place);
  if (await isPlaceUsed(database, providerId, stored)) throw placeUsed(stored.place);
  const engineId = await makeRepository({ ...given, place }, rules, signal);
  const key = { providerId, id: newId() };
  const sealed = sealRepositorySecrets(secrets, key, secretsOf(place, password));
  const retention = { retentionYears, immutableDays, passwordDescription };
  return { ...key, organizationId, name, engineId, place: stored, secrets: sealed, ...retention };
}

export const placeUsed = (place: string) =>
  new Refused(
    'PLACE_IN_USE',
    `Another repository is in ${place}, above it or below it. Give a folder or prefix of its own.`,
  );

/** Tests a place that is allowed, and makes a repository in it. @returns its id by the engine @throws `Refused`, `EngineError` for the place and the password */
export async function makeRepository(
  given: NewRepository,
  rules: Pick<PlaceRules, 'allowPrivateAddresses'>,
  signal: AbortSignal,
): Promise<string> {
  const { place, password, immutableDays } = given;
  if (place.kind === 'folder' && immutableDays > 0) throw new Refused('NOT_IMMUTABLE', FOLDER_LOCK, 'immutableDays');
  const stored = storedPlaceOf(place);
  const store = await openPlace(stored, { immutableDays, secrets: secretsOf(place, password) }, rules);
  try {
    await requireEmptyPlace(enginePlaceOf(stored, immutableDays), store);
    await testPlace(store, immutableDays > 0, signal);
    return (await createRepository(store, password)).id;
  } finally {
    await store.close();
  }
}

const FOLDER_LOCK = 'A folder cannot be locked against deletion. Choose a bucket with object lock, or 0 days.';
