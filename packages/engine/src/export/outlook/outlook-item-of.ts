import type { FolderKind } from '@keepwatch/outlook-files/folder';
import type { OutlookItem } from '@keepwatch/outlook-files/outlook-item';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import { type ExportParts, readProperties } from '../export-parts.ts';
import { outlookAppointment } from './outlook-appointment.ts';
import { attachmentsOf } from './outlook-attachments.ts';
import { outlookContact } from './outlook-contact.ts';
import { outlookMessage } from './outlook-message.ts';
import { outlookTask } from './outlook-task.ts';

/** Which module of Outlook shows what is in a container. */
export const OUTLOOK_FOLDERS: Readonly<Partial<Record<ItemKind, FolderKind>>> = {
  'mail-folder': 'mail',
  calendar: 'calendar',
  'contact-folder': 'contacts',
  'task-list': 'tasks',
};

/**
 * An item of a mailbox as Outlook's files take it. Large attachments are read from the repository when they are written.
 * @throws `bad-request` for what Outlook knows no kind of; `damaged` for what cannot be read
 */
export async function outlookItemOf(parts: ExportParts, item: ItemVersion): Promise<OutlookItem> {
  const properties = await readProperties(parts, item);
  switch (item.kind) {
    case 'message':
      return outlookMessage(parts, item, properties);
    case 'event':
      return outlookAppointment(item, properties, attachmentsOf(parts, item, properties));
    case 'contact':
      return outlookContact(parts, item, properties);
    case 'task':
      return outlookTask(item, properties, attachmentsOf(parts, item, properties));
    default:
      throw new EngineError(
        'bad-request',
        `'${item.name}' is a ${item.kind}: Outlook knows messages, events, contacts and tasks.`,
      );
  }
}

/** What of a message could not be split into its parts, as sentences. */
export function lossesOf(item: OutlookItem): readonly string[] {
  return item.kind === 'message' ? (item.losses ?? []) : [];
}
