import type { Connection } from '../foundation/database.ts';

/** Who is to see an alarm. */
export interface Recipients {
  /** Everybody of the provider who sees all of its companies. */
  kind: 'staff';
}

export const STAFF: Recipients = { kind: 'staff' };

/** An alarm as one recipient is to see it now. */
export interface Delivery {
  providerId: number;
  /** The same each time this recipient is reached about this alarm through this channel. */
  id: string;
  recipient: string;
  /** What the alarm is about: `name.subject`. */
  event: string;
  app: 'monitoring' | 'o365' | 'admin';
  severity: 'info' | 'success' | 'warning' | 'error';
  message: string;
  isClosed: boolean;
  /** It was delivered before, with another text or as open. */
  isAgain: boolean;
}

/** A way by which alarms reach people. */
export interface Channel {
  name: string;
  /** Those of the recipients whom the channel reaches, each by a text of the channel's own. */
  recipientsOf(connection: Connection, providerId: number, recipients: Recipients): Promise<readonly string[]>;
  /**
   * Brings what the recipient sees to the present state of the alarm. What is written with `connection` commits with the mark that
   * it was delivered. What leaves the database is sent at least once: its receiver may recognise a second one by the delivery's id.
   */
  deliver(connection: Connection, delivery: Delivery): Promise<void>;
}
