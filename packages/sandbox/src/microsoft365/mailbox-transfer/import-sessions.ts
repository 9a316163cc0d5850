import type { Mailbox } from '../mailbox/mailbox.ts';
import { GraphError } from '../wire/graph-error.ts';

const lifetimeMs = 30 * 60_000;

/** Open import sessions: each is a link with which every caller can write into one mailbox. */
export class ImportSessions {
  private readonly sessions = new Map<string, { mailbox: Mailbox; expiresMs: number }>();
  private readonly newId: () => string;
  private readonly nowMs: () => number;

  constructor(newId: () => string, nowMs: () => number) {
    this.newId = newId;
    this.nowMs = nowMs;
  }

  start(mailbox: Mailbox): { id: string; expiresMs: number } {
    const id = this.newId();
    const expiresMs = this.nowMs() + lifetimeMs;
    this.sessions.set(id, { mailbox, expiresMs });
    return { id, expiresMs };
  }

  /** @throws GraphError 401 for an unknown session or one that has ended */
  mailboxOf(id: string): Mailbox {
    const session = this.sessions.get(id);
    if (session && session.expiresMs > this.nowMs()) return session.mailbox;
    throw new GraphError(
      401,
      'ErrorInvalidImportSession',
      'The import session is unknown or has expired; create another one.',
    );
  }
}
