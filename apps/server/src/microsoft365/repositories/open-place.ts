import { filteredLookup, isRefusedAddress, resolveName } from '@keepwatch/connectors/base/addresses';
import { EngineError, type ObjectStore, openStore } from '@keepwatch/engine/engine';
import { type PlaceRules, PRIVATE, requirePublicForm } from './place-rules.ts';
import { enginePlaceOf, type RepositorySecrets, type StoredPlace, storeEnvironment } from './repository-place.ts';

/**
 * Opens the store of a place. Where private addresses are not allowed, each connection is checked when it is made, so that a name which points
 * somewhere else the next time changes nothing.
 */
export function openPlace(
  place: StoredPlace,
  { immutableDays, secrets }: { immutableDays: number; secrets: RepositorySecrets },
  { allowPrivateAddresses }: Pick<PlaceRules, 'allowPrivateAddresses'>,
): Promise<ObjectStore> {
  const { endpoint } = place.settings;
  if (!allowPrivateAddresses && endpoint !== undefined) requirePublicForm(endpoint);
  const options = allowPrivateAddresses ? {} : { lookup };
  return openStore(enginePlaceOf(place, immutableDays), storeEnvironment(secrets), options);
}

const lookup = filteredLookup(
  resolveName,
  (address) => !isRefusedAddress(address),
  (name) => new EngineError('store-refused', `${name} ${PRIVATE}`),
);
