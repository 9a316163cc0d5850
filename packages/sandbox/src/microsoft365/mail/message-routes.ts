import { replyAutomatically } from '../mailbox/automatic-replies.ts';
import { readKey } from '../mailbox/folder.ts';
import type { Item } from '../mailbox/item.ts';
import { itemListing } from '../mailbox/item-listing.ts';
import { type CollectionOptions, collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { booleanOf, isObject, type JsonObject, textOf } from '../wire/json.ts';
import { type Predicate, readFilter } from '../wire/odata-filter.ts';
import { badRequest } from '../wire/refusals.ts';
import { checkIfMatch, entityReply } from '../wire/representation.ts';
import { readNewMessage } from './attachment-input.ts';
import { attachmentJson } from './attachment-json.ts';
import { expandExtended } from './extended-properties.ts';
import { asMessage, mailboxOf, mailPermissions, messageOf } from './mail-access.ts';
import { blankMessage, type Message } from './message.ts';
import { applyProperties } from './message-input.ts';
import { etagOf, messageJson, preferencesOf } from './message-json.ts';
import { mimeOf } from './mime-build.ts';
import { parseMime } from './mime-parse.ts';
import { removedStay } from './removed-stay.ts';

/** How messages leave: pages of 10, at most 1000, by `$skip`, as documented. */
function optionsOf(call: GraphCall, path: string): CollectionOptions {
  const mailbox = mailboxOf(call);
  const { isImmutable } = preferencesOf(call);
  const original = ({ id }: JsonObject) => asMessage(mailbox.item(String(id)));
  return {
    context: `users('${call.params['user']}')/${path}`,
    pageSize: 10,
    maximum: 1000,
    paging: 'skip',
    expand: {
      attachments: (entity) => {
        const item = original(entity);
        return item.content.attachments.map((one) =>
          attachmentJson(mailbox, item, one, { isImmutable, hasBytes: true }),
        );
      },
      singlevalueextendedproperties: (entity, options) => expandExtended(original(entity).content, options),
    },
  };
}

/** Settled once a call, not once a message. */
function renderer(call: GraphCall): (item: Item) => JsonObject {
  const mailbox = mailboxOf(call);
  const preferences = preferencesOf(call);
  return (item) => messageJson(mailbox, asMessage(item), preferences);
}

const jsonOf = (call: GraphCall, item: Item): JsonObject => renderer(call)(item);

const folderOf = (call: GraphCall) => mailboxOf(call).folder(call.params['folder'] ?? '', 'IPF.Note');

function listMessages(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folders = call.params['folder']
    ? [folderOf(call)]
    : [...mailbox.folders.values()].filter(({ folderClass, isHidden }) => folderClass === 'IPF.Note' && !isHidden);
  const listing = itemListing(mailbox, folders, renderer(call));
  return collectionReply(call, listing, optionsOf(call, 'messages'));
}

/** What comes, goes and changes in a folder; a `$filter` such as `receivedDateTime ge …` narrows what comes. */
function messagesDelta(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folder = folderOf(call);
  const { isImmutable } = preferencesOf(call);
  let render: ((item: Item) => JsonObject) | undefined;
  let filter: Predicate | undefined;
  const source = {
    changes: folder.changes,
    untouched: mailbox.untouchedOf(folder),
    read: (key: string) => {
      const { number, moves } = readKey(key);
      const item = mailbox.itemOfStay(folder, number, moves);
      // The selection and the filter may be in the token, and so are known only now.
      render ??= renderer(call);
      filter ??= readFilterOf(call);
      const entity = item && render(item);
      return entity && filter(entity) ? entity : undefined;
    },
    removed: (key: string) => ({
      '@odata.type': '#microsoft.graph.message',
      ...removedStay(mailbox, folder, key, isImmutable),
    }),
  };
  return deltaReply(call, source, optionsOf(call, `mailFolders('${call.params['folder']}')/messages`));
}

function readFilterOf(call: GraphCall): Predicate {
  const text = call.query.get('$filter');
  return text ? readFilter(text) : () => true;
}

async function createMessage(call: GraphCall): Promise<GraphReply> {
  const mailbox = mailboxOf(call);
  const folder = call.params['folder'] ? folderOf(call) : mailbox.wellKnown('drafts');
  const item = mailbox.createItem(folder, await newMessage(call));
  return entityReply(call, jsonOf(call, item), optionsOf(call, 'messages/$entity'), 201);
}

/** Of MIME in base64, as documented. */
const mostMimeBytes = 4 * 1024 * 1024;

/**
 * JSON, which is a draft unless the message flags say otherwise, or MIME in base64 as `text/plain`, which is a draft for ever: the flags can be
 * given with JSON alone, and count when a message is first saved.
 */
async function newMessage(call: GraphCall): Promise<Message> {
  const { tenant, body } = call;
  const birth = { nowMs: tenant.nowMs(), id: tenant.newId(), domain: tenant.domain };
  if (Buffer.isBuffer(body)) {
    if (body.length > mostMimeBytes)
      throw new GraphError(413, 'RequestEntityTooLarge', 'The MIME content exceeds the maximum size of 4 MB.');
    const text = body.toString('latin1').trim();
    if (!/^[A-Za-z0-9+/=\s]+$/.test(text))
      throw badRequest('Invalid base64 string for MIME content.', 'ErrorMimeContentInvalidBase64String');
    const raw = Buffer.from(text, 'base64');
    return parseMime(raw, birth);
  }
  return readNewMessage(blankMessage(birth.nowMs, birth.id, birth.domain), body, birth.nowMs);
}

function getMessage(call: GraphCall): GraphReply {
  const item = messageOf(call);
  const headers = { internetMessageHeaders: item.content.headers };
  // Headers leave only when they are asked for.
  const wantsHeaders = call.query.get('$select')?.includes('internetMessageHeaders') ?? false;
  const entity = { ...jsonOf(call, item), ...(wantsHeaders ? headers : {}) };
  return entityReply(call, entity, optionsOf(call, 'messages/$entity'));
}

function getMime(call: GraphCall): GraphReply {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: mimeOf(messageOf(call).content) };
}

function patchMessage(call: GraphCall): GraphReply {
  const item = messageOf(call);
  checkIfMatch(call, etagOf(item));
  const changed = applyProperties(item.content, call.body, false);
  const saved = mailboxOf(call).changeItem(item, changed);
  return entityReply(call, jsonOf(call, saved), optionsOf(call, 'messages/$entity'));
}

const destinationOf = (call: GraphCall) =>
  mailboxOf(call).folder(isObject(call.body) ? (textOf(call.body['destinationId']) ?? '') : '', 'IPF.Note');

function moveMessage(call: GraphCall): GraphReply {
  const moved = mailboxOf(call).moveItem(messageOf(call), destinationOf(call));
  return entityReply(call, jsonOf(call, moved), optionsOf(call, 'messages/$entity'), 201);
}

function copyMessage(call: GraphCall): GraphReply {
  const { content, createdMs } = messageOf(call);
  const copy = mailboxOf(call).createItem(destinationOf(call), content, createdMs);
  return entityReply(call, jsonOf(call, copy), optionsOf(call, 'messages/$entity'), 201);
}

/** The first deletion goes to Deleted Items, the second to the recoverable items, the third is for good. */
function deleteMessage(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const item = messageOf(call);
  checkIfMatch(call, etagOf(item));
  const name = mailbox.folderOf(item).wellKnownName;
  if (name === 'recoverableitemsdeletions') mailbox.removeItem(item);
  else
    mailbox.moveItem(item, mailbox.wellKnown(name === 'deleteditems' ? 'recoverableitemsdeletions' : 'deleteditems'));
  return { status: 204 };
}

/** Stores a copy in Sent Items by default, and delivers to the recipients who are in this tenant. */
function sendMail(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const { tenant, body } = call;
  if (!isObject(body)) throw badRequest('sendMail needs a message.');
  const blank = blankMessage(tenant.nowMs(), tenant.newId(), tenant.domain);
  const owner = { name: mailbox.user.displayName, address: mailbox.user.mail ?? '' };
  const message = {
    ...readNewMessage({ ...blank, from: owner, sender: owner }, body['message'], tenant.nowMs()),
    isDraft: false,
  };
  if (booleanOf(body['saveToSentItems']) !== false) mailbox.createItem(mailbox.wellKnown('sentitems'), message);
  for (const { address } of [...message.to, ...message.cc, ...message.bcc]) {
    const user = tenant.directory.findUser(address);
    if (!user?.mailbox) continue;
    const inbox = tenant.mailboxes.of(user.id);
    inbox.createItem(inbox.wellKnown('inbox'), { ...message, isRead: false });
    replyAutomatically(tenant, inbox, owner.address);
  }
  return { status: 202 };
}

const { read, write } = mailPermissions;
const readable = { method: 'GET', permissions: read, budget: 'mailbox' } as const;
const writable = { permissions: write, budget: 'mailbox' } as const;
const inFolder = '/users/{user}/mailFolders/{folder}/messages';

/** Messages are found below the user and below their folder alike. */
const messageRoutesBelow = (base: string): GraphRoute[] => [
  { ...readable, path: base, handle: listMessages },
  { ...readable, path: `${base}/{message}`, handle: getMessage },
  { ...readable, path: `${base}/{message}/$value`, handle: getMime },
  { ...writable, method: 'POST', path: base, handle: createMessage },
  { ...writable, method: 'PATCH', path: `${base}/{message}`, handle: patchMessage },
  { ...writable, method: 'DELETE', path: `${base}/{message}`, handle: deleteMessage },
  { ...writable, method: 'POST', path: `${base}/{message}/move`, handle: moveMessage },
  { ...writable, method: 'POST', path: `${base}/{message}/copy`, handle: copyMessage },
];

export const messageRoutes: readonly GraphRoute[] = [
  ...messageRoutesBelow('/users/{user}/messages'),
  ...messageRoutesBelow(inFolder),
  { ...readable, path: `${inFolder}/delta()`, handle: messagesDelta },
  { method: 'POST', path: '/users/{user}/sendMail', permissions: ['Mail.Send'], budget: 'mailbox', handle: sendMail },
];
