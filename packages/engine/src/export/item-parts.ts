import type { Attachment, OutlookItem } from '@keepwatch/outlook-files/outlook-item';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion, StoredContent } from '../model/items.ts';
import { objectsOf, textOf } from '../source/graph/json.ts';
import { type ExportParts, readContent, readProperties } from './export-parts.ts';
import { outlookItemOf } from './outlook/outlook-item-of.ts';

/** Something of an item that is a file of its own: its bytes, an earlier version of them, an attachment. */
export interface ItemPart {
  /** Names it in `openPart`: `file`, `mime`, `versions/3.0`, `attachment/2`. */
  id: string;
  what: 'current' | 'earlier-version' | 'attachment';
  /** Of the file that it is saved as; not yet made safe for a system. */
  name: string;
  contentType: string | null;
  /** Exact. */
  sizeBytes: number;
  modifiedAt: Date | null;
  /** Shown within the body, as a picture of a signature is. */
  isInline: boolean;
}

export interface OpenPart {
  part: ItemPart;
  bytes(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Everything of an item that can be downloaded alone, the newest version of a file first. @throws `damaged` */
export async function listParts(parts: ExportParts, item: ItemVersion): Promise<ItemPart[]> {
  return (await openParts(parts, item)).map(({ part }) => part);
}

/** One of them, to be read. @throws `not-found` */
export async function openPart(parts: ExportParts, item: ItemVersion, id: string): Promise<OpenPart> {
  const found = (await openParts(parts, item)).find(({ part }) => part.id === id);
  if (found !== undefined) return found;
  throw new EngineError('not-found', `'${item.name}' has no part ${id}. Choose one of those that are listed.`);
}

async function openParts(parts: ExportParts, item: ItemVersion): Promise<OpenPart[]> {
  if (item.kind === 'file') return filesOf(parts, item);
  if (item.kind === 'message' || item.kind === 'event' || item.kind === 'task') return mailParts(parts, item);
  return [];
}

async function filesOf(parts: ExportParts, item: ItemVersion): Promise<OpenPart[]> {
  const facts = objectsOf((await readProperties(parts, item))['versions']);
  const ids = facts.map((fact) => textOf(fact['id']));
  const order = (id: string) => ids.indexOf(id) + (ids.includes(id) ? 0 : ids.length + 1);
  const current = item.contents.filter(({ name }) => name === 'file');
  const earlier = item.contents.filter(({ name }) => name.startsWith('versions/'));
  earlier.sort((one, other) => order(versionOf(one)) - order(versionOf(other)));
  return [
    ...current.map((content) => contentPart(parts, item, content, { what: 'current', modifiedAt: item.modifiedAt })),
    ...earlier.map((content) => {
      const at = textOf(facts.find((fact) => textOf(fact['id']) === versionOf(content))?.['lastModifiedDateTime']);
      return contentPart(parts, item, content, {
        what: 'earlier-version',
        modifiedAt: at === undefined ? null : new Date(at),
      });
    }),
  ];
}

const versionOf = ({ name }: StoredContent) => name.slice('versions/'.length);

function contentPart(
  parts: ExportParts,
  { name, details }: ItemVersion,
  content: StoredContent,
  about: Pick<ItemPart, 'what' | 'modifiedAt'>,
): OpenPart {
  const contentType = content.name === 'mime' ? 'message/rfc822' : (details.contentType ?? null);
  const file = content.name === 'mime' ? `${name}.eml` : name;
  return {
    part: { ...about, id: content.name, name: file, contentType, sizeBytes: content.sizeBytes, isInline: false },
    bytes: () => readContent(parts, content),
  };
}

async function mailParts(parts: ExportParts, item: ItemVersion): Promise<OpenPart[]> {
  const mime = item.contents.filter(({ name }) => name === 'mime');
  const about = { what: 'current', modifiedAt: item.modifiedAt } as const;
  const whole = mime.map((content) => contentPart(parts, item, content, about));
  return [...whole, ...attachmentParts(await outlookItemOf(parts, item))];
}

/** The attachments of an item that was read. A message within a message has no bytes of its own: it is in the whole one. */
export function attachmentParts({ attachments = [] }: OutlookItem): OpenPart[] {
  return attachments.flatMap((attachment: Attachment, at): OpenPart[] => {
    if (attachment.kind === 'item') return [];
    const { name, contentType = null, sizeBytes, isInline = false, content } = attachment;
    const part = { what: 'attachment', modifiedAt: null, name, contentType, sizeBytes, isInline } as const;
    return [{ part: { ...part, id: `attachment/${at}` }, bytes: content }];
  });
}
