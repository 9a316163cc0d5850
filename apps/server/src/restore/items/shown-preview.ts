import type { ItemPreview as PreviewRow } from '@keepwatch/contract/restore/previews';
import type { ItemPart, ItemPreview } from '@keepwatch/engine/engine';
import { instantText } from '../explorers/browse-object.ts';

/** A preview as replies have it. @param parts what of it is downloaded alone */
export function shownPreview(
  { kind, subject, from, recipients, sentAt, receivedAt, html, text, isCut, picture, facts, losses }: ItemPreview,
  parts: readonly ItemPart[],
): Omit<PreviewRow, 'id'> {
  return {
    type: kind,
    name: subject,
    from: from === null ? null : person(from),
    recipients: recipients.map(({ kind: as, ...who }) => ({ ...person(who), kind: as })),
    sentAt: instantText(sentAt),
    receivedAt: instantText(receivedAt),
    ...{ html, text, isCut, picture },
    parts: parts.map(({ modifiedAt, ...one }) => ({ ...one, modifiedAt: instantText(modifiedAt) })),
    facts: [...facts],
    losses: [...losses],
  };
}

const person = ({ name, email }: { name?: string | undefined; email?: string | undefined }) => ({
  name: name ?? null,
  address: email === undefined || email === '' ? null : email,
});
