import type { ImageKind } from '@keepwatch/contract/branding/brands';
import { IMAGE_BYTES_MAX } from '@keepwatch/contract/branding/brands';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';
import { invalid } from '../foundation/errors.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import type { Brand } from './brands.ts';
import { imageAddress } from './brands-within.ts';
import { type ImageFormat, imageFormatOf } from './image-format.ts';
import { brandImages, type OwnBranding, providers } from './tables.ts';

/** More pixels a side are no logo; unpacked they would fill the memory of a browser. */
const SIDE_MAX_PX = 4_096;
/** The room that pages have for a logo, in their pixels. */
const LOGO_ROOM = { width: 160, height: 28 };

/** What the users logs say of an image. */
export type ShownImage = ImageFormat & { bytes: number };

export type FoundImage = Pick<ImageFormat, 'type'> & { content: Buffer };

/** The image that has this id; `null` after another is in its place. */
export function findImage(connection: Connection, id: string): Promise<FoundImage | null> {
  return row<FoundImage>(connection, sql`select type, content from brand_images where id = ${id}`);
}

/** Gives a brand a logo or an icon in place of the one that it has. Throws 422 for what is no image that pages can show. */
export async function storeImage(
  connection: Connection,
  brand: Brand,
  kind: ImageKind,
  content: Buffer,
): Promise<{ before: ShownImage | null; after: ShownImage }> {
  const format = requireImage(content);
  const before = await removeImage(connection, brand, kind);
  const id = newId();
  await insert(connection, brandImages, { providerId: brand.id, kind, id, content, ...format });
  await setAddress(connection, brand, brandingOf(kind, imageAddress(id), format));
  return { before, after: { ...format, bytes: content.length } };
}

/** Takes a logo or an icon away. Gives what it was, `null` where there was none. */
export async function removeImage(connection: Connection, brand: Brand, kind: ImageKind): Promise<ShownImage | null> {
  const before = await row<ShownImage>(
    connection,
    sql`select type, width, height, length(content) as bytes from brand_images where provider_id = ${brand.id} and kind = ${kind}`,
  );
  await remove(connection, brandImages, { providerId: brand.id, kind });
  await setAddress(connection, brand, brandingOf(kind, null, null));
  return before;
}

async function setAddress(connection: Connection, { id }: Brand, own: OwnBranding): Promise<void> {
  await update(connection, providers, { branding: sql`branding || ${JSON.stringify(own)}::jsonb` }, { id });
}

/** A logo is shown as large as its room allows, and never larger than it is. */
function brandingOf(kind: ImageKind, url: string | null, format: ImageFormat | null): OwnBranding {
  if (kind === 'icon') return { favIconUrl: url };
  if (format === null) return { sidebarLogoUrl: url, sidebarLogoWidth: null, sidebarLogoHeight: null };
  const { width, height } = format;
  const scale = Math.min(1, LOGO_ROOM.width / width, LOGO_ROOM.height / height);
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  return { sidebarLogoUrl: url, sidebarLogoWidth: shown(width), sidebarLogoHeight: shown(height) };
}

function requireImage(content: Buffer): ImageFormat {
  if (content.length > IMAGE_BYTES_MAX)
    throw refused(`The image has ${content.length} bytes; at most ${IMAGE_BYTES_MAX} are accepted. Save it smaller.`);
  const format = imageFormatOf(content);
  if (format === null) throw refused(isSvg(content) ? NO_SVG : NO_IMAGE);
  const { width, height } = format;
  if (width < 1 || height < 1 || width > SIDE_MAX_PX || height > SIDE_MAX_PX)
    throw refused(`The image is ${width} × ${height} pixels; at most ${SIDE_MAX_PX} a side are accepted.`);
  return format;
}

const NO_SVG = 'An SVG file may contain programs and is not accepted. Save the image as PNG or WebP.';
const NO_IMAGE = 'The file is not a PNG, JPEG, WebP or GIF image.';

function isSvg(content: Buffer): boolean {
  return /<svg[\s>]/i.test(content.toString('utf8', 0, 4_096));
}

function refused(message: string) {
  return invalid([{ path: 'body.content', message }], 'The image was not saved.');
}
