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
  /** What waits for another system, and occupies none of the places above meanwhile. */
  outside: Places;
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
    outside: new Places({ total: 60, ofGroup: 20, ofOne: 4, waitingOfOne: 10, waiting: 100, waitMs: 10_000 }),
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

/** The place of one request, which it leaves while it waits for another system: those are slow, and bound nothing of the database. */
export class RequestPlace {
  readonly #places: Places | null;
  readonly #outside: Places;
  readonly #who: Claimant;
  readonly #gone: AbortSignal;
  #leave = () => {};

  /** `places` is `null` for a request that needs no place. */
  constructor(places: Places | null, outside: Places, who: Claimant, gone: AbortSignal) {
    this.#places = places;
    this.#outside = outside;
    this.#who = who;
    this.#gone = gone;
  }

  /** Does work once there is a place for it. */
  async occupy<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Waits for another system without the place, and gets one again afterwards. `work` gets the signal of the caller who goes away. */
  async leaveFor<T>(work: (gone: AbortSignal) => Promise<T>): Promise<T> {
    this.#leave();
    const leave = await this.#outside.enter(this.#who, this.#gone);
    try {
      return await work(this.#gone);
    } finally {
      leave();
      await this.#enter();
    }
  }

  async #enter(): Promise<void> {
    if (this.#places !== null) this.#leave = await this.#places.enter(this.#who, this.#gone);
  }
}
