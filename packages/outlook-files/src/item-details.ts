export interface EmailAddress {
  name?: string;
  /** SMTP address. Empty where the source knows only a name. */
  email: string;
}

/** A follow-up flag. */
export interface Flag {
  status: 'flagged' | 'complete';
  text?: string;
  startsAt?: Date;
  dueAt?: Date;
  completedAt?: Date;
}

/** What every kind of item has, attachments apart. */
export interface ItemDetails {
  subject?: string;
  bodyText?: string;
  bodyHtml?: string;
  categories?: readonly string[];
  importance?: 'low' | 'normal' | 'high';
  sensitivity?: 'normal' | 'personal' | 'private' | 'confidential';
  createdAt?: Date;
  modifiedAt?: Date;
  flag?: Flag;
  /** When Outlook reminds of the item; appointments use `reminderMinutesBefore` instead. */
  remindAt?: Date;
}
