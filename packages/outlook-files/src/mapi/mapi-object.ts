import type { PropertyBag } from './property-bag.ts';

/** An item as Outlook's programming interface knows it: properties, recipients, attachments. What both formats write. */
export interface MapiMessage {
  properties: PropertyBag;
  recipients: PropertyBag[];
  attachments: MapiAttachment[];
}

export interface MapiAttachment {
  properties: PropertyBag;
  content:
    | { kind: 'bytes'; sizeBytes: number; name: string; stream: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array> }
    | { kind: 'message'; message: MapiMessage };
}
