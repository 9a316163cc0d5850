import type { Clock } from '../clock.ts';
import { SharedWaits } from '../shared-waits.ts';

export interface AccessToken {
  value: string;
  expiresMs: number;
}

/** Asks for a token. @param claims of a challenge, as JSON @param clock by which it waits */
export type AskToken = (claims: string | null, clock: Clock) => Promise<AccessToken>;

/** A token is renewed this long before it expires, so that none expires on the way. */
const EARLY_MS = 5 * 60_000;
/** Of a token that lives shorter than that, at least half its life is used. */
const EARLY_SHARE = 0.5;

/** The token of one application: asked for once for all that wait, and renewed before it expires. */
export class Token {
  private readonly ask: AskToken;
  private readonly clock: Clock;
  private current: { value: string; renewMs: number } | null = null;
  private asking: Promise<string> | null = null;
  private readonly waits = new SharedWaits();
  /** The time of those who ask, of whom each reports its own waits. */
  private readonly askingClock: Clock;
  /** What the next token must be asked for with. */
  private claims: string | null = null;

  constructor(ask: AskToken, clock: Clock) {
    this.ask = ask;
    this.clock = clock.of ?? clock;
    this.askingClock = {
      now: () => this.clock.now(),
      sleep: (ms, signal) => this.waits.sleep(ms, this.clock, signal),
    };
  }

  /** The token, where there is one that can be used. */
  known(): string | null {
    return this.current !== null && this.clock.now() < this.current.renewMs ? this.current.value : null;
  }

  /** @param clock the caller's, which reports its long waits @throws EngineError when it is refused; the next call asks again */
  get(clock: Clock = this.clock): Promise<string> {
    const known = this.known();
    if (known !== null) return Promise.resolve(known);
    this.asking ??= this.renew().finally(() => {
      this.asking = null;
    });
    return this.waits.during(clock, this.asking);
  }

  /** A token that was refused is not used again, unless it was renewed since. @param claims that the next one must be asked for with */
  refuse(value: string, claims: string | null = null): void {
    if (this.current?.value !== value) return;
    this.current = null;
    this.claims = claims;
  }

  private async renew(): Promise<string> {
    const askedMs = this.clock.now();
    const { value, expiresMs } = await this.ask(this.claims, this.askingClock);
    this.claims = null;
    this.current = { value, renewMs: expiresMs - Math.min(EARLY_MS, (expiresMs - askedMs) * EARLY_SHARE) };
    return value;
  }
}
