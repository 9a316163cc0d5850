import type { RestoreOptions } from '@keepwatch/contract/restore/explorer';
import {
  downloadLibrary,
  downloadSiteDocuments,
  downloadSiteFolder,
  restoreLibraryToAnother,
  restoreLibraryToOriginal,
  restoreListToAnother,
  restoreListToOriginal,
  restoreSiteDocumentsToAnother,
  restoreSiteDocumentsToOriginal,
  restoreSiteFolderToAnother,
  restoreSiteFolderToOriginal,
  restoreSiteItemsToAnother,
  restoreSiteItemsToOriginal,
  restoreSiteToAnother,
  restoreSiteToOriginal,
} from '@keepwatch/contract/restore/sites';
import type { ChangingContext } from '../../../foundation/http/context.ts';
import { answer, type Route } from '../../../foundation/http/routes.ts';
import { answerDownload } from '../../downloads/answer-download.ts';
import { refusing } from '../../engine-refusal.ts';
import { requireOptions } from '../../operations/engine-options.ts';
import { type PartToRestore, startRestore } from '../../operations/start-restore.ts';
import type { RestoreServices } from '../../restore-services.ts';
import { type OpenedSession, openSession } from '../../sessions/opened-session.ts';
import type { FoundObject } from '../../sessions/session-objects.ts';
import { idsIn, nameOf, targetOf } from '../named-restore.ts';
import { requireItems } from '../require-items.ts';
import { requireInLibrary, type SitePart, wholeSite } from './site-choice.ts';
import { requireSite } from './sites.calls.ts';
import { TargetSite } from './target-site.ts';

/** Bringing sites, lists, libraries, folders, documents and rows back, and saving files as ZIP. */
export function siteChangeCalls(services: RestoreServices): Route[] {
  const begin = beginning(services);
  const save = saving(services);
  const listOf =
    ({ listId }: { listId: string }): Choose =>
    async (_opened, found) => [{ found, items: [listId] }];
  const rowsOf =
    ({ items }: { items: Chosen }): Choose =>
    async (_opened, found) => [{ found, items: idsIn(items) }];
  return [
    answer(restoreSiteToOriginal, (context, { params, body }) => begin(context, params, body, wholeSite)),
    answer(restoreSiteToAnother, (context, { params, body }) => begin(context, params, body, wholeSite)),
    answer(restoreListToOriginal, (context, { params, body }) => begin(context, params, body, listOf(body))),
    answer(restoreListToAnother, (context, { params, body }) => begin(context, params, body, listOf(body))),
    answer(restoreLibraryToOriginal, (context, { params, body }) => begin(context, params, body, inLibraryOf(body))),
    answer(restoreLibraryToAnother, (context, { params, body }) => begin(context, params, body, inLibraryOf(body))),
    answer(restoreSiteFolderToOriginal, (context, { params, body }) => begin(context, params, body, inLibraryOf(body))),
    answer(restoreSiteFolderToAnother, (context, { params, body }) => begin(context, params, body, inLibraryOf(body))),
    answer(restoreSiteDocumentsToOriginal, (context, { params, body }) =>
      begin(context, params, body, inLibraryOf(body)),
    ),
    answer(restoreSiteDocumentsToAnother, (context, { params, body }) =>
      begin(context, params, body, inLibraryOf(body)),
    ),
    answer(restoreSiteItemsToOriginal, (context, { params, body }) => begin(context, params, body, rowsOf(body))),
    answer(restoreSiteItemsToAnother, (context, { params, body }) => begin(context, params, body, rowsOf(body))),
    answer(downloadLibrary, (context, { params, body }) => save(context, params, body)),
    answer(downloadSiteFolder, (context, { params, body }) => save(context, params, body)),
    answer(downloadSiteDocuments, (context, { params, body }) => save(context, params, body)),
  ];
}

type Chosen = readonly { id: string }[];
type Choose = (opened: OpenedSession, site: FoundObject) => Promise<SitePart[]>;

/** What names folders, documents or a whole library. */
interface InLibrary {
  libraryId?: string | undefined;
  folderId?: string | undefined;
  folders?: Chosen | undefined;
  documents?: Chosen | undefined;
}

const idsOf = ({ libraryId, folderId, folders = [], documents = [] }: InLibrary): string[] => [
  ...[libraryId, folderId].flatMap((id) => id ?? []),
  ...idsIn(folders),
  ...idsIn(documents),
];

function inLibraryOf(body: InLibrary): Choose {
  return async (opened, site) => [await requireInLibrary(opened, site, idsOf(body))];
}

interface Params {
  restoreSessionId: string;
  siteId: string;
}

interface RestoreBody {
  options?: RestoreOptions | undefined;
  pathName?: string | undefined;
  siteURL?: string;
  planOnly: boolean;
}

function beginning(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, siteId }: Params,
    { options: given, pathName, siteURL, planOnly }: RestoreBody,
    choose: Choose,
  ) => {
    const options = requireOptions(given);
    const opened = await openSession(services, context, restoreSessionId);
    const site = await refusing(() => requireSite(opened, siteId));
    const chosen = await refusing(() => choose(opened, site));
    for (const part of chosen) await requireItems(part.found, part.items);
    const parts = await context.outside(() => refusing(() => placed(services, opened, chosen, siteURL)));
    const name = nameOf(site, chosen.length > 1 ? null : (chosen[0]?.items ?? null), pathName);
    const target = targetOf(site, siteURL ?? null, options);
    return { data: await startRestore(services, context, opened, { name, target, parts, options, planOnly }) };
  };
}

/** Says of each part where it goes. */
async function placed(
  services: RestoreServices,
  opened: OpenedSession,
  chosen: readonly SitePart[],
  siteURL: string | undefined,
): Promise<PartToRestore[]> {
  if (siteURL === undefined) return chosen.map((part) => ({ ...part, to: null }));
  const target = await TargetSite.find(services, opened, siteURL);
  return Promise.all(chosen.map(async (part) => ({ ...part, to: await target.of(part) })));
}

function saving(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, siteId }: Params,
    body: InLibrary & { fileName?: string | undefined; downloadInBackground: boolean },
  ) => {
    const opened = await openSession(services, context, restoreSessionId);
    const { found, items } = await refusing(async () =>
      requireInLibrary(opened, await requireSite(opened, siteId), idsOf(body)),
    );
    await requireItems(found, items);
    const { fileName, downloadInBackground } = body;
    return answerDownload(services, context, opened, { found, items, format: 'zip', fileName, downloadInBackground });
  };
}
