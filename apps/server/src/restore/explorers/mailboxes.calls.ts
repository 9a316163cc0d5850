import {
  FOLDER_TYPES,
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  MAIL_ITEM_TYPES,
  weighMailbox,
} from '@keepwatch/contract/restore/mailboxes';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { type OpenedSession, openSession } from '../sessions/opened-session.ts';
import { objectsOf, requireObject } from '../sessions/session-objects.ts';
import { recordPlace } from './audited.ts';
import { browseObject } from './browse-object.ts';
import { folderRow, mailboxOf, mailboxRow, mailRow } from './mail-rows.ts';
import { linksOf, objectPage } from './page-links.ts';
import { weighItems } from './weigh-items.ts';

/** Looking into mailboxes and archives. */
export function mailboxCalls(services: RestoreServices): Route[] {
  return [list(services), folders(services), items(services), weigh(services)];
}

/** The mailbox or archive of an id on the wire. @throws 404 */
export function requireMailbox(opened: OpenedSession, mailboxId: string) {
  const { kind, id } = mailboxOf(mailboxId);
  return requireObject(opened, kind, id, 'mailbox');
}

function list(services: RestoreServices): Route {
  return answer(listRestoreMailboxes, async (context, { params, query }) =>
    context.outside(() =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        const filter = { kinds: ['mailbox', 'archive'], text: query.search } as const;
        const page = await objectPage((after) => objectsOf(opened, filter, after), query);
        const _links = linksOf(listRestoreMailboxes, params, query, page);
        return { data: { results: page.rows.map(mailboxRow) }, _links };
      }),
    ),
  );
}

function folders(services: RestoreServices): Route {
  return answer(listMailboxFolders, async (context, { params, query }) =>
    context.outside(() =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        const mailbox = await requireMailbox(opened, params.mailboxId);
        const order = { ...query, parentId: query.parentId, kinds: FOLDER_TYPES, sort: 'name' as const };
        const { rows, isMore } = await browseObject(opened, mailbox, order);
        await recordPlace(context, opened, mailbox, { mailbox: mailbox.object.name, folder: query.parentId });
        const results = rows.map((row) => folderRow(params.mailboxId, mailbox.revision, row));
        return { data: { results }, _links: linksOf(listMailboxFolders, params, query, { isMore }) };
      }),
    ),
  );
}

function items(services: RestoreServices): Route {
  return answer(listMailboxItems, async (context, { params, query }) =>
    context.outside(() =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        const mailbox = await requireMailbox(opened, params.mailboxId);
        const order = { ...query, parentId: query.parentId, kinds: MAIL_ITEM_TYPES };
        const { rows, isMore } = await browseObject(opened, mailbox, order);
        await recordPlace(context, opened, mailbox, { mailbox: mailbox.object.name, folder: query.parentId });
        const results = rows.map((row) => mailRow(params.mailboxId, mailbox.revision, row));
        return { data: { results }, _links: linksOf(listMailboxItems, params, query, { isMore }) };
      }),
    ),
  );
}

function weigh(services: RestoreServices): Route {
  return answer(weighMailbox, async (context, { params, body }) =>
    context.outside(() =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        const mailbox = await requireMailbox(opened, params.mailboxId);
        return { data: await weighItems(mailbox, body) };
      }),
    ),
  );
}
