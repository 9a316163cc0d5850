import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import type { ExportParts } from '../export-parts.ts';
import { type OpenPart, openPart } from '../item-parts.ts';

/** Pictures that can do nothing. SVG is a program. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A larger one is downloaded. */
export const PICTURE_BYTES_MAX = 20 * 2 ** 20;

export interface OpenPicture {
  name: string;
  type: PictureType;
  bytes: Buffer;
}

/** What a picture is by its first bytes: what it calls itself is not asked. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : null;
}

/** Reads a part of an item that is a picture. @throws `not-found`, and `bad-request` for what is none or too large to be shown */
export async function openPicture(parts: ExportParts, item: ItemVersion, id: string): Promise<OpenPicture> {
  const open = await openPart(parts, item, id);
  const { name, sizeBytes } = open.part;
  if (sizeBytes > PICTURE_BYTES_MAX) throw noPicture(name);
  const bytes = await allOf(parts, open);
  const type = pictureTypeOf(bytes);
  if (type === null) throw noPicture(name);
  return { name, type, bytes };
}

async function allOf({ signal }: ExportParts, open: OpenPart): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of open.bytes()) {
    signal.throwIfAborted();
    read.push(piece);
  }
  return Buffer.concat(read);
}

function noPicture(name: string): EngineError {
  return new EngineError('bad-request', `'${name}' is no picture that can be shown. Download it instead.`);
}
