import type { TaskDetails } from '../task.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';

export function taskObject(item: TaskDetails): MapiMessage {
  return itemObject(item, { messageClass: 'IPM.Task', icon: 0x200, flags: MESSAGE_FLAG.read, date: item.modifiedAt });
}
