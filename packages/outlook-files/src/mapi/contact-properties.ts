import type { ContactDetails } from '../contact.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';

export function contactObject(item: ContactDetails): MapiMessage {
  return itemObject(item, {
    messageClass: 'IPM.Contact',
    icon: 0x200,
    flags: MESSAGE_FLAG.read,
    date: item.modifiedAt,
  });
}
