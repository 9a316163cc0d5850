import { setImmediate } from 'node:timers/promises';
import type { Pool } from '../foundation/database.ts';
import { hashOfToken } from '../foundation/secrets.ts';
import { readTokenOwners, type TokenOwner } from './intake-tokens.ts';

/** A token with its owner. */
export interface KnownToken {
  tokenHash: Buffer;
  owner: TokenOwner;
}

/** How long an owner is cached. A token that is removed meanwhile is still refused when its report is stored. */
const REMEMBERED_MS = 10_000;
const REMEMBERED_MAX = 20_000;

interface Lookup {
  hash: Buffer;
  answer(owner: TokenOwner | null): void;
  fail(error: unknown): void;
}

/**
 * Finds the owner of a report's token before its body is read. Concurrent lookups share one statement.
 */
export class TokenOwners {
  readonly #database: Pool;
  /** Cached owners by plain token, so that most reports need no hash. */
  readonly #remembered = new Map<string, { known: KnownToken; untilMs: number }>();
  #lookups: Lookup[] = [];
  #isLooking = false;

  constructor(database: Pool) {
    this.#database = database;
  }

  /** Finds a token; `null` if it does not exist or was removed. */
  async find(token: string): Promise<KnownToken | null> {
    const remembered = this.#remembered.get(token);
    if (remembered !== undefined && remembered.untilMs > performance.now()) return remembered.known;
    const tokenHash = hashOfToken(token);
    const owner = await this.#lookUp(tokenHash);
    if (owner === null) return null;
    const known = { tokenHash, owner };
    this.#remember(token, known);
    return known;
  }

  /** Clears the cache. Must be called after this process removes a token. */
  forget(): void {
    this.#remembered.clear();
  }

  #remember(token: string, known: KnownToken): void {
    if (this.#remembered.size > REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(token, { known, untilMs: performance.now() + REMEMBERED_MS });
  }

  #lookUp(hash: Buffer): Promise<TokenOwner | null> {
    const { promise, resolve, reject } = Promise.withResolvers<TokenOwner | null>();
    this.#lookups.push({ hash, answer: resolve, fail: reject });
    if (!this.#isLooking) void this.#lookAll();
    return promise;
  }

  async #lookAll(): Promise<void> {
    this.#isLooking = true;
    while (this.#lookups.length > 0) {
      await setImmediate();
      const lookups = this.#lookups;
      this.#lookups = [];
      await this.#read(lookups).catch((error) => {
        for (const lookup of lookups) lookup.fail(error);
      });
    }
    this.#isLooking = false;
  }

  async #read(lookups: readonly Lookup[]): Promise<void> {
    const hashes = new Map(lookups.map(({ hash }) => [hash.toString('base64'), hash]));
    const found = await readTokenOwners(this.#database, [...hashes.values()]);
    const owners = new Map(found.map(({ tokenHash, ...owner }) => [tokenHash.toString('base64'), owner]));
    for (const { hash, answer } of lookups) answer(owners.get(hash.toString('base64')) ?? null);
  }
}
