import type { AppointmentDetails } from '../appointment.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';

export function appointmentObject(item: AppointmentDetails): MapiMessage {
  return itemObject(item, {
    messageClass: 'IPM.Appointment',
    icon: 0x200,
    flags: MESSAGE_FLAG.read,
    date: item.modifiedAt,
  });
}
