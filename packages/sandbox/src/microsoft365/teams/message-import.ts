import { importOnly } from '../chats/chat-routes.ts';
import type { HostedContent, NewMessage } from '../chats/message.ts';
import { messageEntity } from '../chats/message-entity.ts';
import { identityOf } from '../drives/items/item-call.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import type { Channel } from './channel.ts';
import { channelConversation, forbidden, instantAt, refused, teamChannelOf } from './team-call.ts';

/**
 * Posts a message or a reply. A user posts as themselves and now; an application posts only while it imports into a
 * channel in migration mode, and then says who wrote the message and when.
 * @throws GraphError 403 for an application without migration, and for what only an import may say
 */
export function postMessage(call: GraphCall): GraphReply {
  const { team, channel } = teamChannelOf(call);
  const body = objectOf(call.body);
  if (team.isArchived) throw forbidden('The team is archived.');
  const message = readMessage(body);
  const isImport = call.caller.userId === null;
  const createdMs = isImport ? checkImport(call, channel, body) : checkPost(call, channel, body);
  const from = isImport ? authorOf(call, body) : identityOf(call);
  const { message: parent } = call.params;
  const posted = channel.conversation.post({ ...message, from }, createdMs, parent ?? null, isImport);
  showImages(call, posted.body, posted.id);
  const { place } = channelConversation(call);
  return entityReply(call, messageEntity(posted, place), { context: 'chatMessage/$entity' }, 201);
}

/** Lets messages be imported into a channel that is in use. */
export function startMigration(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  if (channel.migration?.mode === 'inProgress') throw refused('The channel is already in migration mode.');
  const sinceMs = instantAt(objectOf(call.body), 'conversationCreationDateTime');
  if (sinceMs !== undefined && sinceMs >= channel.createdMs) {
    throw refused('conversationCreationDateTime must be older than the createdDateTime of the channel.');
  }
  channel.createdMs = sinceMs ?? channel.createdMs;
  channel.migration = { mode: 'inProgress', applicationId: call.caller.applicationId };
  return { status: 204 };
}

export function completeMigration(call: GraphCall): GraphReply {
  const { channel } = teamChannelOf(call);
  if (channel.migration?.mode !== 'inProgress') throw refused('The channel is not in migration mode.');
  checkOwner(call, channel);
  channel.migration = { ...channel.migration, mode: 'completed' };
  return { status: 204 };
}

function checkImport(call: GraphCall, channel: Channel, body: JsonObject): number {
  if (channel.migration?.mode !== 'inProgress' || !call.caller.permissions.has('Teamwork.Migrate.All'))
    throw importOnly();
  checkOwner(call, channel);
  const nowMs = call.tenant.nowMs();
  const createdMs = instantAt(body, 'createdDateTime') ?? nowMs;
  if (createdMs < channel.createdMs || createdMs > nowMs) {
    throw refused('createdDateTime must be between the creation of the channel and now.');
  }
  return createdMs;
}

function checkPost(call: GraphCall, channel: Channel, body: JsonObject): number {
  if ('createdDateTime' in body || 'from' in body) throw forbidden('createdDateTime and from are for imports alone.');
  if (channel.migration?.mode === 'inProgress') throw forbidden('The channel is in migration mode.');
  return call.tenant.nowMs();
}

function checkOwner({ caller }: GraphCall, { migration }: Channel): void {
  if (migration?.applicationId !== caller.applicationId) {
    throw forbidden('Another application imports into this channel.');
  }
}

/** Returns the author; one who is no longer in the tenant gets the name that was sent. */
function authorOf({ tenant }: GraphCall, body: JsonObject): NewMessage['from'] {
  const { id, displayName } = objectOf(objectOf(body['from'])['user']);
  if (typeof id !== 'string') throw refused('An imported message needs from.user with an id.');
  const known = tenant.drives.people.user(id);
  return { user: { id, displayName: known?.displayName ?? textOf(displayName) ?? id } };
}

function readMessage(body: JsonObject): Omit<NewMessage, 'from'> {
  const { contentType, content } = objectOf(body['body']);
  if (typeof content !== 'string') throw refused('A message needs a body with content.');
  return {
    body: { contentType: contentType === 'html' ? 'html' : 'text', content },
    subject: textOf(body['subject']) ?? null,
    importance: textOf(body['importance']) ?? 'normal',
    attachments: objectsOf(body['attachments']),
    mentions: objectsOf(body['mentions']),
    hostedContents: objectsOf(body['hostedContents']).map(readHostedContent),
  };
}

function readHostedContent(content: JsonObject): HostedContent {
  const id = textOf(content['@microsoft.graph.temporaryId']);
  const [contentBytes, contentType] = [textOf(content['contentBytes']), textOf(content['contentType'])];
  if (id === undefined || contentBytes === undefined || !contentType?.startsWith('image/')) {
    throw refused('A hosted content needs @microsoft.graph.temporaryId, contentBytes and the contentType of an image.');
  }
  return { id, contentType, bytes: Buffer.from(contentBytes, 'base64') };
}

/** The text names images by their temporary ids, and then by where they are. */
function showImages({ baseUrl, path }: GraphCall, body: { content: string }, messageId: string): void {
  body.content = body.content.replace(
    /\.\.\/hostedContents\/([^/]+)\/\$value/g,
    (_, id: string) => `${baseUrl}${path}/${messageId}/hostedContents/${id}/$value`,
  );
}
