import type { RestoreOptions } from '@keepwatch/contract/restore/explorer';
import {
  restoreMailboxToAnother,
  restoreMailboxToOriginal,
  restoreMailFolderToAnother,
  restoreMailFolderToOriginal,
  restoreMailItemsToAnother,
  restoreMailItemsToOriginal,
} from '@keepwatch/contract/restore/mailboxes';
import { invalid } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { refusing } from '../engine-refusal.ts';
import { requireOptions } from '../operations/engine-options.ts';
import { startRestore } from '../operations/start-restore.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import { requireMailbox } from './mailboxes.calls.ts';
import { nameOf, targetOf } from './named-restore.ts';
import { requireItems } from './require-items.ts';

/** Bringing back mailboxes, folders and items: to where they were, or into another mailbox or folder. */
export function mailRestoreCalls(services: RestoreServices): Route[] {
  const begin = beginning(services);
  return [
    answer(restoreMailboxToOriginal, (context, { params, body }) => begin(context, params, body, { items: null })),
    answer(restoreMailboxToAnother, (context, { params, body }) =>
      begin(context, params, body, { items: null, ...another(body) }),
    ),
    answer(restoreMailFolderToOriginal, (context, { params, body }) =>
      begin(context, params, body, { items: [params.folderId] }),
    ),
    answer(restoreMailFolderToAnother, (context, { params, body }) =>
      begin(context, params, body, { items: [params.folderId], ...another(body) }),
    ),
    answer(restoreMailItemsToOriginal, (context, { params, body }) =>
      begin(context, params, body, { items: body.items.map(({ id }) => id) }),
    ),
    answer(restoreMailItemsToAnother, (context, { params, body }) =>
      begin(context, params, body, { items: body.items.map(({ id }) => id), ...another(body) }),
    ),
  ];
}

interface Place {
  items: readonly string[] | null;
  mailbox?: string | undefined;
  folder?: string | undefined;
}

interface Body {
  options?: RestoreOptions | undefined;
  mailbox?: string | undefined;
  folder?: string | undefined;
  pathName?: string | undefined;
  planOnly: boolean;
}

/** @throws 422 for another place that is none */
function another({ mailbox, folder, options }: Body): Pick<Place, 'mailbox' | 'folder'> {
  if ([mailbox, folder, options?.folder].some((given) => (given ?? '').trim() !== '')) return { mailbox, folder };
  throw invalid([{ path: 'body.mailbox', message: 'say which mailbox it goes into, which folder, or both' }]);
}

function beginning(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, mailboxId }: { restoreSessionId: string; mailboxId: string },
    body: Body,
    { items, mailbox, folder }: Place,
  ) => {
    const options = requireOptions(body.options, folder);
    const opened = await openSession(services, context, restoreSessionId);
    const found = await refusing(() => requireMailbox(opened, mailboxId));
    const to = (mailbox ?? '').trim() === '' ? null : (mailbox ?? '').trim();
    requireWritable(found, to);
    await requireItems(found, items);
    const parts = [{ found, items, to }];
    const name = nameOf(found, items, body.pathName);
    return {
      data: await startRestore(services, context, opened, {
        name,
        target: targetOf(found, to, options),
        parts,
        options,
        planOnly: body.planOnly,
      }),
    };
  };
}

/** Microsoft lets no application write into the conversations of a group. */
function requireWritable({ object }: FoundObject, to: string | null): void {
  if (to !== null || object.owner?.startsWith('group/') !== true) return;
  throw invalid([
    { path: 'body.mailbox', message: 'conversations of a group go into the mailbox of a person: say whose' },
  ]);
}
