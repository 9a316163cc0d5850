import type { Clock } from '../clock.ts';

export interface AccessToken {
  value: string;
  expiresMs: number;
}

/** A token is renewed this long before it expires, so that none expires on the way. */
const EARLY_MS = 5 * 60_000;
/** Of a token that lives shorter than that, at least half its life is used. */
const EARLY_SHARE = 0.5;

/** The token of one application: asked for once for all that wait, and renewed before it expires. */
export class Token {
  private readonly ask: (claims: string | null) => Promise<AccessToken>;
  private readonly clock: Clock;
  private current: { value: string; renewMs: number } | null = null;
  private asking: Promise<string> | null = null;
  /** What the next token must be asked for with. */
  private claims: string | null = null;

  /** @param ask takes the claims of a challenge, as JSON */
  constructor(ask: (claims: string | null) => Promise<AccessToken>, clock: Clock) {
    this.ask = ask;
    this.clock = clock;
  }

  /** @throws EngineError when it is refused; the next call asks again */
  get(): Promise<string> {
    if (this.current !== null && this.clock.now() < this.current.renewMs) return Promise.resolve(this.current.value);
    this.asking ??= this.renew().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  /** A token that was refused is not used again, unless it was renewed since. @param claims that the next one must be asked for with */
  refuse(value: string, claims: string | null = null): void {
    if (this.current?.value !== value) return;
    this.current = null;
    this.claims = claims;
  }

  private async renew(): Promise<string> {
    const askedMs = this.clock.now();
    const { value, expiresMs } = await this.ask(this.claims);
    this.claims = null;
    this.current = { value, renewMs: expiresMs - Math.min(EARLY_MS, (expiresMs - askedMs) * EARLY_SHARE) };
    return value;
  }
}
