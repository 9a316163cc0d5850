import { downloadMailbox, downloadMailFolder, downloadMailItems } from '@keepwatch/contract/restore/mailboxes';
import { invalid } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { answerDownload } from '../downloads/answer-download.ts';
import type { DownloadFormat } from '../downloads/download-order.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import { requireMailbox } from './mailboxes.calls.ts';
import { requireItems } from './require-items.ts';

/** Saving mailboxes, folders and items as files. */
export function mailDownloadCalls(services: RestoreServices): Route[] {
  const save = saving(services);
  return [
    answer(downloadMailbox, (context, { params, body }) => save(context, params, body, null)),
    answer(downloadMailFolder, (context, { params, body }) => save(context, params, body, [params.folderId])),
    answer(downloadMailItems, (context, { params, body }) =>
      save(
        context,
        params,
        body,
        body.items.map(({ id }) => id),
      ),
    ),
  ];
}

interface Body {
  format: DownloadFormat;
  messagesAs: 'eml' | 'msg';
  contentKeyword?: string | undefined;
  fileName?: string | undefined;
  downloadInBackground: boolean;
}

function saving(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, mailboxId }: { restoreSessionId: string; mailboxId: string },
    { format, messagesAs, contentKeyword: keyword, fileName, downloadInBackground }: Body,
    items: readonly string[] | null,
  ) => {
    if ((format === 'msg' || format === 'eml') && items?.length !== 1)
      throw invalid([{ path: 'body.format', message: 'is for one item alone: choose pst or zip for several' }]);
    const opened = await openSession(services, context, restoreSessionId);
    const found = await refusing(() => requireMailbox(opened, mailboxId));
    await requireItems(found, items);
    const download = { found, items, format, messagesAs, keyword, fileName, downloadInBackground };
    return answerDownload(services, context, opened, download);
  };
}
