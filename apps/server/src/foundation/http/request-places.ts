import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Actor } from './context.ts';
import { type Claimant, callerGone, Places } from './places.ts';

/** The places of one server: what its callers may have at work at the same time. */
export interface RequestPlaces {
  /** Calls of users, by provider and user. */
  signedIn: Places;
  /** Calls without a session, by address. */
  anonymous: Places;
  /** Bodies of more than `LARGE_BODY_BYTES`, from their first byte until their answer. */
  largeBodies: Places;
}

/** A body that has to have a place before it is read. Smaller ones, as of a single report, are read at once. */
export const LARGE_BODY_BYTES = 64 * 1024;

/**
 * A call holds up to three connections of the database at a time, and the pool has 26 (program/open-database.ts): four exports, two
 * batches of reports and the sign-in find theirs. Two calls of a user keep two processors busy; the page of a technician asks ten short ones, which follow each other quickly.
 */
export function openRequestPlaces(): RequestPlaces {
  return {
    signedIn: new Places({ total: 6, ofGroup: 4, ofOne: 2, waitingOfOne: 60, waiting: 600, waitMs: 10_000 }),
    anonymous: new Places({ total: 6, ofGroup: 3, ofOne: 3, waitingOfOne: 100, waiting: 300, waitMs: 10_000 }),
    largeBodies: new Places({ total: 3, ofGroup: 2, ofOne: 1, waitingOfOne: 20, waiting: 60, waitMs: 20_000 }),
  };
}

/** By whom a request is counted: a user of a provider, or an address. */
export function claimantOf(actor: Actor | null, address: string): Claimant {
  if (actor === null) return { group: address, one: address };
  return { group: String(actor.scope.providerId), one: actor.userId };
}

export function isLargeBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > LARGE_BODY_BYTES;
}

/** Aborted when the caller goes away before its reply was sent. */
export function goneSignal(raw: ServerResponse): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(callerGone());
  });
  if (raw.destroyed) gone.abort(callerGone());
  return gone.signal;
}
