import type { LookupFunction } from 'node:net';
import { filteredLookup, isRefusedAddress, privateAddressText, type ResolveName } from '../base/addresses.ts';
import { TransportError } from './transport-error.ts';

export function addressRefusal(name: string): TransportError {
  return new TransportError('not-reachable', `${name} ${privateAddressText('source')}.`, { isTransient: false });
}

/** The lookup of a vendor's name: of any address, or of public ones alone. */
export function checkedLookup(resolve: ResolveName, allowPrivateAddresses: boolean): LookupFunction {
  return filteredLookup(resolve, (address) => allowPrivateAddresses || !isRefusedAddress(address), addressRefusal);
}
