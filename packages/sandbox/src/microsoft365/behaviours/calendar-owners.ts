import type { Folder } from '../mailbox/folder.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { Tenant } from '../tenant.ts';
import type { JsonObject } from '../wire/json.ts';
import { appliesTo } from './behaviours.ts';

const NAME = 'Shared with me';

/** The owner of a calendar, unless the calendar itself names another one. */
export function ownerOf({ behaviours }: Tenant, { user }: Mailbox): JsonObject {
  const address = appliesTo(behaviours.formerOwners, user.id) ? `former.${user.mail}` : user.mail;
  return { name: user.displayName, address };
}

/** Adds the calendar of another user to a person's, once, where the behaviour is on. */
export function shareCalendar({ behaviours, directory }: Tenant, mailbox: Mailbox, calendars: readonly Folder[]): void {
  if (!appliesTo(behaviours.sharedCalendars, mailbox.user.id)) return;
  if (calendars.some(({ displayName }) => displayName === NAME)) return;
  const other = directory.users.find(({ id, mail }) => mail !== null && id !== mailbox.user.id);
  const owner = { name: other?.displayName, address: other?.mail };
  const parent = mailbox.wellKnown('msgfolderroot').number;
  const properties = { owner, canEdit: false, canShare: false };
  mailbox.addFolder({ displayName: NAME, folderClass: 'IPF.Appointment', parent, properties }, 0);
}
