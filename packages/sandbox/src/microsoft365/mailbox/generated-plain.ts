import { generateEvent } from '../calendar/generated-event.ts';
import { generateContact } from '../contacts/generated-contact.ts';
import { generateTask } from '../todo/generated-task.ts';
import type { JsonObject } from '../wire/json.ts';
import type { FolderClass } from './folder.ts';
import type { PlainContent } from './item.ts';
import type { PlainSeed } from './plain-seed.ts';

/** The event, contact or task of a number, by the class of the folder it is in. */
export function generatePlain(folderClass: Exclude<FolderClass, 'IPF.Note'>, from: PlainSeed): PlainContent {
  const make = { 'IPF.Appointment': event, 'IPF.Contact': contact, 'IPF.Task': task }[folderClass];
  return make(from);
}

const plain = (kind: PlainContent['kind'], properties: JsonObject): PlainContent => ({
  kind,
  properties,
  attachments: [],
});
const event = (from: PlainSeed) => plain('event', generateEvent(from));
const contact = (from: PlainSeed) => plain('contact', generateContact(from));
const task = (from: PlainSeed) => plain('task', generateTask(from));
