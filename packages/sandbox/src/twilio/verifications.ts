import { createHash, randomInt } from 'node:crypto';
import { TwilioError } from './twilio-error.ts';

/** As the vendor documents: a verification lives ten minutes, for five messages and five checks. */
const LIFETIME_MS = 10 * 60_000;
const SENDS_MAX = 5;
const CHECKS_MAX = 5;

export interface Verification {
  sid: string;
  to: string;
  code: string;
  createdMs: number;
  updatedMs: number;
  status: 'pending' | 'approved';
  sends: number;
  checks: number;
}

/** A message as a phone shows it. */
export interface SentMessage {
  to: string;
  text: string;
  sentAt: string;
}

/** The verifications of a service, and the messages that phones have received. */
export class Verifications {
  readonly messages: SentMessage[] = [];
  readonly #all: Verification[] = [];
  readonly #nowMs: () => number;
  readonly #name: string;

  constructor(name: string, nowMs: () => number) {
    this.#name = name;
    this.#nowMs = nowMs;
  }

  /** Sends a code: while one is pending for the number, the same one again. */
  send(to: string): Verification {
    const pending = this.#pending((other) => other.to === to) ?? this.#begin(to);
    if (pending.sends >= SENDS_MAX) throw new TwilioError(429, 60203, 'Max send attempts reached');
    pending.sends += 1;
    pending.updatedMs = this.#nowMs();
    const text = `Your ${this.#name} verification code is: ${pending.code}`;
    this.messages.push({ to, text, sentAt: new Date(pending.updatedMs).toISOString() });
    return pending;
  }

  /** Checks a code. What has ended is not found. */
  check(isAsked: (verification: Verification) => boolean, code: string): Verification {
    const pending = this.#pending(isAsked);
    if (pending === undefined) throw new TwilioError(404, 20404, 'The requested resource was not found');
    if (pending.checks >= CHECKS_MAX) throw new TwilioError(429, 60202, 'Max check attempts reached');
    pending.checks += 1;
    pending.updatedMs = this.#nowMs();
    if (code === pending.code) pending.status = 'approved';
    return pending;
  }

  #pending(isAsked: (verification: Verification) => boolean): Verification | undefined {
    const isAlive = ({ status, createdMs }: Verification) =>
      status === 'pending' && createdMs + LIFETIME_MS > this.#nowMs();
    return this.#all.findLast((verification) => isAlive(verification) && isAsked(verification));
  }

  #begin(to: string): Verification {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const sid = sidOf('VE', `${to} ${this.#all.length}`);
    const at = this.#nowMs();
    const begun = { sid, to, code, createdMs: at, updatedMs: at, status: 'pending', sends: 0, checks: 0 } as const;
    const stored: Verification = { ...begun };
    this.#all.push(stored);
    return stored;
  }
}

/** An id as the vendor makes them: two letters and 32 hexadecimal digits. */
export function sidOf(prefix: string, of: string): string {
  return prefix + createHash('sha256').update(of).digest('hex').slice(0, 32);
}
