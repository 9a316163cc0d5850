import type { LookupFunction } from 'node:net';
import { EngineError } from '../model/engine-error.ts';
import { openFolderStore } from './folder/folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import { RetainingStore } from './retain/retaining-store.ts';
import { RetryStore } from './retry/retry-store.ts';
import { parseStorePlace, type StorePlace } from './store-place.ts';
import { type ThrottleLimits, ThrottleStore } from './throttle/throttle-store.ts';

/** Settings by name, as a process finds them in its environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface StoreOptions {
  /** Resolves the names of servers, instead of the system's own way: a program that opens what strangers type refuses addresses of its own network. */
  lookup?: LookupFunction;
}

/** Enough to fill a fast line with packs, and bounded in memory. */
const REQUESTS_AT_ONCE = 32;

/**
 * Opens the store at a place: a folder's path, or `s3://bucket/prefix?endpoint=…&region=…&path-style&lock-days=…` with keys from the usual variables
 * (`AWS_ACCESS_KEY_ID`, …). `KEEPWATCH_STORE_REQUESTS` says how many calls go at once (32), `KEEPWATCH_STORE_BYTES_PER_SECOND` how fast (no limit).
 *
 * The store is throttled below and repeats failed calls above: every attempt counts against the limits, and waiting for the next one uses
 * none of them.
 *
 * @throws `bad-request` for a place that is none, for missing keys and wrong limits; `store-refused`, `store-unreachable` as the store answers
 */
export async function openStore(
  place: string,
  environment: Environment,
  options: StoreOptions = {},
): Promise<ObjectStore> {
  const limits = throttleLimits(environment);
  const store = await openPlace(parseStorePlace(place), environment, options);
  return new RetryStore(new ThrottleStore(store, limits));
}

async function openPlace(place: StorePlace, environment: Environment, options: StoreOptions): Promise<ObjectStore> {
  if (place.kind === 'folder') return openFolderStore(place.path);
  // Only who uses a bucket pays for loading its client.
  const [{ openS3Store }, { s3Settings }] = await Promise.all([
    import('./s3/open-s3-store.ts'),
    import('./s3/s3-settings.ts'),
  ]);
  const store = await openS3Store({ ...s3Settings(place, environment), ...options });
  return place.lockDays === null ? store : new RetainingStore(store, place.lockDays);
}

function throttleLimits(environment: Environment): ThrottleLimits {
  return {
    requestsAtOnce: wholeNumber(environment, 'KEEPWATCH_STORE_REQUESTS') ?? REQUESTS_AT_ONCE,
    bytesPerSecond: wholeNumber(environment, 'KEEPWATCH_STORE_BYTES_PER_SECOND'),
  };
}

function wholeNumber(environment: Environment, name: string): number | null {
  const text = environment[name];
  if (text === undefined || text === '') return null;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new EngineError('bad-request', `${name} is '${text}', which is no whole number above 0.`);
}
