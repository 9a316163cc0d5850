import {
  listDriveDocuments,
  listDriveFolders,
  listRestoreDrives,
  weighDrive,
} from '@keepwatch/contract/restore/drives';
import { notFound } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { SessionObject } from '../sessions/repository-objects.ts';
import { objectsOf, requireObject } from '../sessions/session-objects.ts';
import { recordPlace } from './audited.ts';
import { browseObject } from './browse-object.ts';
import { documentRow, driveFolderRow, driveRow } from './document-rows.ts';
import { inSession } from './in-session.ts';
import { linksOf, objectPage } from './page-links.ts';
import { weighItems } from './weigh-items.ts';

/** Looking into OneDrives. */
export function driveCalls(services: RestoreServices): Route[] {
  return [
    answer(listRestoreDrives, (context, { params, query }) =>
      inSession(services, context, params.restoreSessionId, async (opened) => {
        const page = await objectPage((after) => oneDrivesOf(opened, query.search, after), query);
        return { data: { results: page.rows.map(driveRow) }, _links: linksOf(listRestoreDrives, params, query, page) };
      }),
    ),

    answer(listDriveFolders, (context, { params, query }) =>
      inSession(services, context, params.restoreSessionId, async (opened) => {
        const drive = await requireDrive(opened, params.onedriveId);
        const order = { ...query, parentId: query.parentId, kinds: ['folder'] as const, sort: 'name' as const };
        const { rows, isMore } = await browseObject(opened, drive, order);
        await recordPlace(context, opened, drive, { drive: drive.object.name, folder: query.parentId });
        const results = rows.map((row) => driveFolderRow(params.onedriveId, drive.revision, row));
        return { data: { results }, _links: linksOf(listDriveFolders, params, query, { isMore }) };
      }),
    ),

    answer(listDriveDocuments, (context, { params, query }) =>
      inSession(services, context, params.restoreSessionId, async (opened) => {
        const drive = await requireDrive(opened, params.onedriveId);
        const order = { ...query, parentId: query.parentId, kinds: ['file'] as const };
        const { rows, isMore } = await browseObject(opened, drive, order);
        await recordPlace(context, opened, drive, { drive: drive.object.name, folder: query.parentId });
        const results = rows.map((row) => documentRow(drive.revision, row));
        return { data: { results }, _links: linksOf(listDriveDocuments, params, query, { isMore }) };
      }),
    ),

    answer(weighDrive, (context, { params, body }) =>
      inSession(services, context, params.restoreSessionId, async (opened) => ({
        data: await weighItems(await requireDrive(opened, params.onedriveId), body),
      })),
    ),
  ];
}

/** Drives of people; those of sites and teams are in their explorers. */
async function* oneDrivesOf(
  opened: OpenedSession,
  text: string | undefined,
  after: string | undefined,
): AsyncGenerator<SessionObject> {
  for await (const drive of objectsOf(opened, { kinds: ['drive'], text }, after)) if (isOfPerson(drive)) yield drive;
}

const isOfPerson = ({ owner }: { owner: string | null }) => owner?.startsWith('user/') === true;

/** @throws 404 for one that the session does not show, or that is no OneDrive */
export async function requireDrive(opened: OpenedSession, id: string) {
  const found = await requireObject(opened, 'drive', id, 'OneDrive');
  // A library has another explorer, and takes another ability.
  if (!isOfPerson(found.object)) throw notFound('OneDrive');
  return found;
}
