import type { JsonObject } from '../../wire/json.ts';

export interface ContentType {
  /** Such as `0x0101`; the id of what inherits from it starts with its own. */
  id: string;
  name: string;
  description: string;
  group: string;
  isBuiltIn: boolean;
}

const builtIn = (id: string, name: string, group: string): ContentType => ({
  id,
  name,
  description: '',
  group,
  isBuiltIn: true,
});

export const itemType = builtIn('0x01', 'Item', 'List Content Types');
export const documentType = builtIn('0x0101', 'Document', 'Document Content Types');
export const folderType = builtIn('0x0120', 'Folder', 'Folder Content Types');
export const pageType = builtIn('0x0101009D1CB255DA76424F860D91F20E6C4118', 'Site Page', 'Document Content Types');

/** The content types every site has. */
export const siteTypes: readonly ContentType[] = [itemType, documentType, folderType, pageType];

/** A list's own copy of a content type: its id is the original's with a GUID behind it. */
export function copyOf(original: ContentType, guid: string): ContentType {
  return { ...original, id: `${original.id}00${guid.replaceAll('-', '').toUpperCase()}`, isBuiltIn: false };
}

/** The `contentType` of the wire. */
export function contentTypeEntity(type: ContentType, position: number): JsonObject {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    group: type.group,
    hidden: false,
    isBuiltIn: type.isBuiltIn,
    readOnly: false,
    sealed: false,
    order: { default: position === 0, position },
  };
}
