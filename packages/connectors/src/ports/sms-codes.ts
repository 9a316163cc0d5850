import type { Testable } from '../base/manifest.ts';

/** `SmsCodes`: sends one-time codes to phones, and says whether a code is the one that was sent. */
export interface SmsCodes extends Testable {
  /** How many messages a day the provider is ready to pay for. */
  messagesADayMax: number;
  /** A number as the vendor writes it (E.164), if messages to it are received and cost what they usually do; `null` for another one. */
  mobileNumber(number: string, signal: AbortSignal): Promise<string | null>;
  /** Sends a code, and returns the id of what was begun with it. */
  send(number: string, signal: AbortSignal): Promise<string>;
  /** Whether this is the code. One that is too old or was used already is not. */
  isCode(id: string, code: string, signal: AbortSignal): Promise<boolean>;
}
