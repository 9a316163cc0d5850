import type { EmailAddress } from '@keepwatch/outlook-files/item-details';
import type { CatalogObject } from '../../catalog/catalog.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import type { ItemPart } from '../item-parts.ts';

/** What is to be previewed. */
export interface PreviewOrder {
  object: CatalogObject;
  /** Any of its versions. */
  item: ItemVersion;
  /** One of its parts (`listParts`) instead of all of it: an attachment, an earlier version. */
  part?: string;
}

/** Something that is known of an item, for people. */
export interface Fact {
  name: string;
  value: string;
  /** `instant`: ISO 8601 in UTC; `bytes`: a count of them. */
  type: 'text' | 'instant' | 'bytes';
}

/** An item as a person looks at it. */
export interface ItemPreview {
  kind: ItemKind;
  subject: string;
  from: EmailAddress | null;
  recipients: readonly (EmailAddress & { kind: 'to' | 'cc' | 'bcc' })[];
  sentAt: Date | null;
  receivedAt: Date | null;
  /** Can do nothing: no script, form, frame, style or address is in it but links of the web. Pictures of the item are data within it; none is fetched. */
  html: string | null;
  text: string | null;
  /** Whether the body or file is longer than what is shown of it. */
  isCut: boolean;
  /** Id of the part that `openPicture` gives as a picture. */
  picture: string | null;
  /** In the order in which they are read. */
  facts: readonly Fact[];
  /** To be opened by `openPart`; those that the body shows are inline. */
  attachments: readonly ItemPart[];
  /** What could not be split into its parts, as sentences. */
  losses: readonly string[];
}

/** Facts by their names, without those that are not known. */
export function factsOf(
  given: Readonly<Record<string, string | null | undefined>>,
  type: Fact['type'] = 'text',
): Fact[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [{ name, value, type }],
  );
}

export function instantFacts(given: Readonly<Record<string, Date | null | undefined>>): Fact[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === null || Number.isNaN(value.getTime())
      ? []
      : [{ name, value: value.toISOString(), type: 'instant' as const }],
  );
}
