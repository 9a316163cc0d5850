import {
  downloadChats,
  listChatMessages,
  listChatPeople,
  listChats,
  weighChats,
} from '@keepwatch/contract/restore/chats';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { answerDownload } from '../downloads/answer-download.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import { objectsOf } from '../sessions/session-objects.ts';
import { recordPlace } from './audited.ts';
import { browseObject } from './browse-object.ts';
import { chatMessageRow, chatRow, personRow } from './chat-rows.ts';
import { inSession } from './in-session.ts';
import { idsIn } from './named-restore.ts';
import { linksOf, objectPage } from './page-links.ts';
import { requireItems } from './require-items.ts';
import { weighItems } from './weigh-items.ts';
import { requireChatsOf } from './wire-ids.ts';

/** Looking into the chats of people, and saving them: no application writes them back (docs/decisions/0055). */
export function chatCalls(services: RestoreServices): Route[] {
  return [people(services), chats(services), messages(services), weigh(services), save(services)];
}

function people(services: RestoreServices): Route {
  return answer(listChatPeople, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const filter = { kinds: ['chats'], text: query.search } as const;
      const page = await objectPage((after) => objectsOf(opened, filter, after), query);
      return { data: { results: page.rows.map(personRow) }, _links: linksOf(listChatPeople, params, query, page) };
    }),
  );
}

function chats(services: RestoreServices): Route {
  return answer(listChats, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const found = await requireChatsOf(opened, params.personId);
      const order = { ...query, parentId: undefined, kinds: ['chat'] as const, sort: 'name' as const };
      const { rows, isMore } = await browseObject(opened, found, order);
      await recordPlace(context, opened, found, { chatsOf: found.object.name });
      const results = rows.map((row) => chatRow(params.personId, found.revision, row));
      return { data: { results }, _links: linksOf(listChats, params, query, { isMore }) };
    }),
  );
}

function messages(services: RestoreServices): Route {
  return answer(listChatMessages, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const found = await requireChatsOf(opened, params.personId);
      const { chatId } = query;
      const order = { ...query, parentId: chatId, kinds: ['chat-message'] as const, sort: '-date' as const };
      const { rows, isMore } = await browseObject(opened, found, order);
      await recordPlace(context, opened, found, { chatsOf: found.object.name, chat: chatId });
      const results = rows.map((row) => chatMessageRow(params.personId, chatId, found.revision, row));
      return { data: { results }, _links: linksOf(listChatMessages, params, query, { isMore }) };
    }),
  );
}

type Some = { chats?: { id: string }[] | undefined; messages?: { id: string }[] | undefined };

const someOf = ({ chats: whole = [], messages: single = [] }: Some) => [...whole, ...single];

function weigh(services: RestoreServices): Route {
  return answer(weighChats, (context, { params, body }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const found = await requireChatsOf(opened, params.personId);
      return { data: await weighItems(found, { items: someOf(body) }) };
    }),
  );
}

function save(services: RestoreServices): Route {
  return answer(downloadChats, async (context, { params, body }) => {
    const opened = await openSession(services, context, params.restoreSessionId);
    const found = await refusing(() => requireChatsOf(opened, params.personId));
    const chosen = idsIn(someOf(body));
    const items = chosen.length === 0 ? null : chosen;
    await requireItems(found, items);
    const { fileName, downloadInBackground } = body;
    return answerDownload(services, context, opened, { found, items, format: 'zip', fileName, downloadInBackground });
  });
}
