import type { Testable } from '../base/manifest.ts';

/** `Mail`: sends what the portal writes to people. */
export interface Mail extends Testable {
  /** Hands a mail over to the server, and gives what it answered. Sent again with the same id, it is the same mail for those who receive it. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<string>;
}

export interface OutgoingMail {
  /** Of letters, digits and hyphens: part of its Message-ID. */
  id: string;
  to: string;
  /** Whom an answer reaches, where that is not the address that mails come from. */
  replyTo?: string;
  subject: string;
  /** Plain text. */
  text: string;
}
