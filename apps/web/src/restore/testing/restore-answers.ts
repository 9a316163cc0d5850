import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { listMailboxFolders, listMailboxItems, listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { previewItem } from '@keepwatch/contract/restore/previews';
import { listRestorePoints, openRestoreSession } from '@keepwatch/contract/restore/sessions';
import { listItemVersions } from '@keepwatch/contract/restore/versions';
import { createAnswers } from '../../testing/answers.ts';
import {
  buildFolder,
  buildFound,
  buildMailbox,
  buildMessage,
  buildPoint,
  buildPreview,
  buildRestoreSession,
  contoso,
} from './builders.ts';

const self = { href: '/o365/restore/restoresessions' };

/** One page of an explorer's list; with `next` another one follows. */
export function page<T>(results: T[], next?: string) {
  const _links = next === undefined ? { self } : { self, next: { href: next } };
  return { success: true as const, data: { results }, _links };
}

/** A page of a list that the server has whole, with the link that it would have. */
export function pageAt<T>(all: T[], { limit, offset }: { limit: number; offset: number }) {
  const isMore = all.length > offset + limit;
  return page(all.slice(offset, offset + limit), isMore ? `/x?limit=${limit}&offset=${offset + limit}` : undefined);
}

/** Of an item that no restore point has: without a lifeline. */
export const NO_VERSIONS = {
  success: true as const,
  data: [],
  restorePoints: 0,
  firstBackupTime: null,
  lastBackupTime: null,
};

/** Contoso with two restore points, the older of them partial, two mailboxes, and 250 messages in the inbox of the first. */
export function outlookAnswers() {
  const points = [buildPoint(14), buildPoint(12, { isPartial: true, incompleteObjects: 2 })];
  const messages = Array.from({ length: 250 }, (_, place) => buildMessage(place + 1));
  return createAnswers()
    .on(listOrganizationNames, { success: true, data: [contoso] })
    .on(listRestorePoints, { success: true, count: 2, data: points })
    .on(openRestoreSession, ({ body: { datetime, showDeleted } }) => ({
      success: true as const,
      data: buildRestoreSession(50, { datetime, showDeleted, isPartial: datetime.startsWith('2026-03-12') }),
    }))
    .on(listRestoreMailboxes, ({ query }) =>
      pageAt(
        [buildMailbox(1), buildMailbox(2)].filter(({ name }) => name.includes(query.search ?? '')),
        query,
      ),
    )
    .on(listMailboxFolders, ({ params: { mailboxId }, query }) =>
      pageAt(
        query.parentId === 'Root' ? [buildFolder('Inbox', { mailboxId }), buildFolder('Offers', { mailboxId })] : [],
        query,
      ),
    )
    .on(listMailboxItems, ({ query }) => pageAt(query.parentId === 'Inbox' ? messages : [], query))
    .on(searchRestoreSession, {
      success: true,
      data: [buildFound({ endedAt: '2026-03-05T12:00:00.000Z' })],
      _next: null,
    })
    .on(previewItem, { success: true, data: buildPreview() })
    .on(listItemVersions, NO_VERSIONS);
}
