import {
  downloadDrive,
  downloadDriveDocument,
  downloadDriveFolder,
  restoreDriveDocument,
  restoreDriveFolder,
  restoreWholeDrive,
} from '@keepwatch/contract/restore/drives';
import type { RestoreOptions } from '@keepwatch/contract/restore/explorer';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { answerDownload } from '../downloads/answer-download.ts';
import { refusing } from '../engine-refusal.ts';
import { requireOptions } from '../operations/engine-options.ts';
import { startRestore } from '../operations/start-restore.ts';
import { nameOfTarget } from '../operations/targets-in-reach.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import { requireDrive } from './drives.calls.ts';
import { idsIn, nameOf, targetOf } from './named-restore.ts';
import { requireItems } from './require-items.ts';

/** Bringing OneDrives, folders and files back, and saving them as ZIP. */
export function driveChangeCalls(services: RestoreServices): Route[] {
  const begin = beginning(services);
  const save = saving(services);
  return [
    answer(restoreWholeDrive, (context, { params, body }) => begin(context, params, body, null)),
    answer(restoreDriveFolder, (context, { params, body }) => begin(context, params, body, idsIn(body.folders))),
    answer(restoreDriveDocument, (context, { params, body }) => begin(context, params, body, idsIn(body.documents))),
    answer(downloadDrive, (context, { params, body }) => save(context, params, body, null)),
    answer(downloadDriveFolder, (context, { params, body }) => save(context, params, body, idsIn(body.folders))),
    answer(downloadDriveDocument, (context, { params, body }) => save(context, params, body, idsIn(body.documents))),
  ];
}

interface Params {
  restoreSessionId: string;
  onedriveId: string;
}

interface RestoreBody {
  options?: RestoreOptions | undefined;
  onedrive?: string | undefined;
  pathName?: string | undefined;
  planOnly: boolean;
}

function beginning(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, onedriveId }: Params,
    { options: given, onedrive, pathName, planOnly }: RestoreBody,
    items: readonly string[] | null,
  ) => {
    const options = requireOptions(given);
    const opened = await openSession(services, context, restoreSessionId);
    const found = await refusing(() => requireDrive(opened, onedriveId));
    await requireItems(found, items);
    const to = (onedrive ?? '').trim() || null;
    const name = nameOf(found, items, pathName);
    const target = targetOf(found, await refusing(() => nameOfTarget(opened, found, to)), options);
    const parts = [{ found, items, to }];
    return { data: await startRestore(services, context, opened, { name, target, parts, options, planOnly }) };
  };
}

interface DownloadBody {
  fileName?: string | undefined;
  downloadInBackground: boolean;
}

function saving(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, onedriveId }: Params,
    { fileName, downloadInBackground }: DownloadBody,
    items: readonly string[] | null,
  ) => {
    const opened = await openSession(services, context, restoreSessionId);
    const found = await refusing(() => requireDrive(opened, onedriveId));
    await requireItems(found, items);
    return answerDownload(services, context, opened, { found, items, format: 'zip', fileName, downloadInBackground });
  };
}
