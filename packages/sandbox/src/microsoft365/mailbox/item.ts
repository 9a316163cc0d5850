import type { Attachment, Message } from '../mail/message.ts';
import type { JsonObject } from '../wire/json.ts';

/** The content of calendars, contact folders and task lists: the properties as they are sent. */
export interface PlainContent {
  kind: 'event' | 'contact' | 'task';
  properties: JsonObject;
  attachments: readonly Attachment[];
  /** What differs from the series on some of its days (days since 1970); `null` for an occurrence that was cancelled. */
  exceptions?: Readonly<Record<number, JsonObject | null>>;
}

export type ItemContent = Message | PlainContent;

/** Something in a mailbox. It is never changed in place; a change makes another one of the same number. */
export interface Item<Content extends ItemContent = ItemContent> {
  /** Stays for life, within its mailbox. */
  readonly number: number;
  /** Number of the folder it is in. */
  readonly folder: number;
  /** How often it was moved: its usual id changes with it. */
  readonly moves: number;
  readonly revision: number;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly content: Content;
}
