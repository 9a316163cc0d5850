import type { LookupFunction } from 'node:net';
import { filteredLookup, isRefusedAddress, type ResolveName } from '../base/addresses.ts';
import { TransportError } from './transport-error.ts';

export function addressRefusal(name: string): TransportError {
  const text = `${name} is an address of this machine or of a private network, and this portal does not call those`;
  const advice =
    'If the source is in your own network, ask the operator of this portal to set ALLOW_PRIVATE_ADDRESSES=true';
  return new TransportError('not-reachable', `${text}. ${advice}.`, { isTransient: false });
}

/** The lookup of a vendor's name: of any address, or of public ones alone. */
export function checkedLookup(resolve: ResolveName, allowPrivateAddresses: boolean): LookupFunction {
  return filteredLookup(resolve, (address) => allowPrivateAddresses || !isRefusedAddress(address), addressRefusal);
}
