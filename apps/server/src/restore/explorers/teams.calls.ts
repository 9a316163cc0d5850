import {
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamPosts,
  listTeamTabs,
} from '@keepwatch/contract/restore/teams';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { objectsOf, requireObject } from '../sessions/session-objects.ts';
import { recordPlace } from './audited.ts';
import { browseObject } from './browse-object.ts';
import { inSession } from './in-session.ts';
import { linksOf, objectPage, pageFrom } from './page-links.ts';
import { teamEntries } from './team-files.ts';
import { channelRow, postRow, tabRow, teamFileRow, teamRow } from './team-rows.ts';

/** Looking into teams. */
export function teamCalls(services: RestoreServices): Route[] {
  return [list(services), channels(services), posts(services), tabs(services), files(services)];
}

export const requireTeam = (opened: OpenedSession, teamId: string) => requireObject(opened, 'team', teamId, 'team');

function list(services: RestoreServices): Route {
  return answer(listRestoreTeams, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const filter = { kinds: ['team'], text: query.search } as const;
      const page = await objectPage((after) => objectsOf(opened, filter, after), query);
      return { data: { results: page.rows.map(teamRow) }, _links: linksOf(listRestoreTeams, params, query, page) };
    }),
  );
}

function channels(services: RestoreServices): Route {
  return answer(listTeamChannels, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const team = await requireTeam(opened, params.teamId);
      const order = { ...query, parentId: undefined, kinds: ['channel'] as const, sort: 'name' as const };
      const { rows, isMore } = await browseObject(opened, team, order);
      await recordPlace(context, opened, team, { team: team.object.name });
      const results = rows.map((row) => channelRow(params.teamId, team.revision, row));
      return { data: { results }, _links: linksOf(listTeamChannels, params, query, { isMore }) };
    }),
  );
}

function posts(services: RestoreServices): Route {
  return answer(listTeamPosts, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const team = await requireTeam(opened, params.teamId);
      const { channelId } = query;
      const order = { ...query, parentId: channelId, kinds: ['post', 'reply'] as const, sort: '-date' as const };
      const { rows, isMore } = await browseObject(opened, team, order);
      await recordPlace(context, opened, team, { team: team.object.name, channel: channelId, of: 'posts' });
      const results = rows.map((row) => postRow(params.teamId, channelId, team.revision, row));
      return { data: { results }, _links: linksOf(listTeamPosts, params, query, { isMore }) };
    }),
  );
}

function tabs(services: RestoreServices): Route {
  return answer(listTeamTabs, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const team = await requireTeam(opened, params.teamId);
      const { channelId } = params;
      const order = { ...query, parentId: channelId, kinds: ['tab'] as const, sort: 'name' as const };
      const { rows, isMore } = await browseObject(opened, team, order);
      await recordPlace(context, opened, team, { team: team.object.name, channel: channelId, of: 'tabs' });
      const results = rows.map((row) => tabRow(params.teamId, channelId, team.revision, row));
      return { data: { results }, _links: linksOf(listTeamTabs, params, query, { isMore }) };
    }),
  );
}

function files(services: RestoreServices): Route {
  return answer(listTeamFiles, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const team = await requireTeam(opened, params.teamId);
      const { parentId, channelId, sort } = query;
      const { rows, isMore } = await pageFrom(teamEntries(opened, team, { parentId, channelId, sort }), query);
      await recordPlace(context, opened, team, {
        team: team.object.name,
        folder: parentId,
        channel: channelId,
        of: 'files',
      });
      const results = rows.map(({ library, item }) => teamFileRow(params, channelId, library, item));
      return { data: { results }, _links: linksOf(listTeamFiles, params, query, { isMore }) };
    }),
  );
}
