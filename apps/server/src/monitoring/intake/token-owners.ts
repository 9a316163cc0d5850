import { setImmediate } from 'node:timers/promises';
import type { Pool } from '../../foundation/database.ts';
import { hashOfToken } from '../../foundation/secrets.ts';
import { readTokenOwners, type TokenOwner } from './intake-tokens.ts';

/** A token whose owner is known. */
export interface KnownToken {
  tokenHash: Buffer;
  owner: TokenOwner;
}

/** How long an owner is remembered. A token that is removed meanwhile is refused all the same, when its report is stored. */
const REMEMBERED_MS = 10_000;
const REMEMBERED_MAX = 20_000;

interface Lookup {
  hash: Buffer;
  answer(owner: TokenOwner | null): void;
  fail(error: unknown): void;
}

/**
 * Says to whom the token of a report belongs, before its body is read. Tokens that are asked for at once are looked up in one
 * statement.
 */
export class TokenOwners {
  readonly #database: Pool;
  /** By the tokens as they came: most reports come with one that is remembered, and need no hash. */
  readonly #remembered = new Map<string, { known: KnownToken; untilMs: number }>();
  #lookups: Lookup[] = [];
  #isLooking = false;

  constructor(database: Pool) {
    this.#database = database;
  }

  /** `null` for a token that does not exist or was removed. */
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

  /** To be called when a token was removed here. */
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
