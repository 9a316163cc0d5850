import type { EmailAddress } from '../mail/message.ts';

/** What an invented event, contact or task is a function of. */
export interface PlainSeed {
  seed: number;
  number: number;
  owner: EmailAddress;
  bornMs: number;
}
