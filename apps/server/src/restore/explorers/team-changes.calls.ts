import type { RestoreOptions } from '@keepwatch/contract/restore/explorer';
import {
  downloadTeamFiles,
  downloadTeamPosts,
  restoreTeamChannel,
  restoreTeamFiles,
  restoreTeamTabs,
  restoreWholeTeam,
} from '@keepwatch/contract/restore/teams';
import { notFound } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { answerDownload } from '../downloads/answer-download.ts';
import { refusing } from '../engine-refusal.ts';
import { requireOptions } from '../operations/engine-options.ts';
import { type PartToRestore, startRestore } from '../operations/start-restore.ts';
import { nameOfTarget } from '../operations/targets-in-reach.ts';
import type { RestoreServices } from '../restore-services.ts';
import { type OpenedSession, openSession } from '../sessions/opened-session.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import { chosenInLibrary } from './library-ids.ts';
import { idsIn, nameOf, targetOf } from './named-restore.ts';
import { requireItems } from './require-items.ts';
import { librariesOfTeam } from './team-files.ts';
import { requireTeam } from './teams.calls.ts';

/** Bringing teams, channels, posts, tabs and files back, and saving files as ZIP. */
export function teamChangeCalls(services: RestoreServices): Route[] {
  const begin = beginning(services);
  return [
    answer(restoreWholeTeam, (context, { params, body }) =>
      begin(context, params, body, async (opened, team, to) => {
        // Files of a team that goes into another one stay with their own: which library is which is not known there.
        const libraries = to === null ? await librariesOfTeam(opened, params.teamId) : [];
        return [{ found: team, items: null, to }, ...libraries.map((found) => ({ found, items: null, to: null }))];
      }),
    ),
    answer(restoreTeamChannel, (context, { params, body }) =>
      begin(context, params, body, async (_opened, found, to) => {
        const items = body.posts === undefined ? [params.channelId] : idsIn(body.posts);
        return [{ found, items, to }];
      }),
    ),
    answer(restoreTeamTabs, (context, { params, body }) =>
      begin(context, params, body, async (_opened, found, to) => [{ found, items: idsIn(body.tabs), to }]),
    ),
    answer(restoreTeamFiles, (context, { params, body }) =>
      begin(context, params, body, async (opened) => {
        const { library, items } = await requireFiles(opened, params.teamId, idsIn(body.files));
        return [{ found: library, items, to: null }];
      }),
    ),
    saveFiles(services),
    savePosts(services),
  ];
}

interface Body {
  options?: RestoreOptions | undefined;
  team?: string | undefined;
  pathName?: string | undefined;
  planOnly: boolean;
}

type PartsOf = (opened: OpenedSession, team: FoundObject, to: string | null) => Promise<PartToRestore[]>;

function beginning(services: RestoreServices) {
  return async (
    context: ChangingContext,
    { restoreSessionId, teamId }: { restoreSessionId: string; teamId: string },
    { options: given, team, pathName, planOnly }: Body,
    partsOf: PartsOf,
  ) => {
    const options = requireOptions(given);
    const opened = await openSession(services, context, restoreSessionId);
    const found = await refusing(() => requireTeam(opened, teamId));
    const to = (team ?? '').trim() || null;
    const parts = await partsOf(opened, found, to);
    for (const part of parts) await requireItems(part.found, part.items);
    const name = nameOf(found, parts[0]?.items ?? null, pathName);
    const target = targetOf(found, await refusing(() => nameOfTarget(opened, found, to)), options);
    return { data: await startRestore(services, context, opened, { name, target, parts, options, planOnly }) };
  };
}

/** @throws 404 for files of what is no library of the team */
async function requireFiles(opened: OpenedSession, teamId: string, ids: readonly string[]) {
  const chosen = await refusing(() => chosenInLibrary(opened, ids));
  const { owner } = chosen?.library.object ?? { owner: null };
  if (chosen === null || (owner !== `team/${teamId}` && owner !== `group/${teamId}`)) throw notFound('file');
  return chosen;
}

function saveFiles(services: RestoreServices): Route {
  return answer(downloadTeamFiles, async (context, { params, body }) => {
    const opened = await openSession(services, context, params.restoreSessionId);
    await refusing(() => requireTeam(opened, params.teamId));
    const { library: found, items } = await requireFiles(opened, params.teamId, idsIn(body.files));
    await requireItems(found, items);
    const { fileName, downloadInBackground } = body;
    return answerDownload(services, context, opened, { found, items, format: 'zip', fileName, downloadInBackground });
  });
}

function savePosts(services: RestoreServices): Route {
  return answer(downloadTeamPosts, async (context, { params, body }) => {
    const opened = await openSession(services, context, params.restoreSessionId);
    const found = await refusing(() => requireTeam(opened, params.teamId));
    const chosen = idsIn([...(body.channels ?? []), ...(body.posts ?? [])]);
    const items = chosen.length === 0 ? null : chosen;
    await requireItems(found, items);
    const { fileName, downloadInBackground } = body;
    return answerDownload(services, context, opened, { found, items, format: 'zip', fileName, downloadInBackground });
  });
}
