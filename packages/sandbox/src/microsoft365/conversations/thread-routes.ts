import type { Group } from '../directory/group.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphHandler, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { JsonObject } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import type { GroupPost, GroupThread, Writer } from './group-threads.ts';

/** Application permissions by the reference; to write there is none: https://learn.microsoft.com/graph/api/group-post-threads */
const readers = [
  'Group-Conversation.Read.All',
  'Group-Conversation.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
];

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const recipient = ({ name, address }: Writer) => ({ emailAddress: { name, address } });
const lastOf = ({ posts }: GroupThread) => Math.max(0, ...posts.map(({ createdMs }) => createdMs));

/** The group, if it has a mailbox. @throws GraphError 404 */
function groupOf({ tenant, params }: GraphCall): Group {
  const group = tenant.directory.group(params['group'] ?? '');
  if (group.kind !== 'microsoft365')
    throw new GraphError(404, 'MailboxNotEnabledForRESTAPI', 'The group has no mailbox.');
  return group;
}

const threadsOf = (call: GraphCall) => call.tenant.groupThreads.of(groupOf(call).id);
const threadOf = (call: GraphCall) => call.tenant.groupThreads.thread(groupOf(call).id, call.params['thread'] ?? '');

function commonOf(thread: GroupThread): JsonObject {
  const [last] = thread.posts.slice(-1);
  return {
    topic: thread.topic,
    hasAttachments: thread.posts.some(({ hasAttachments }) => hasAttachments),
    lastDeliveredDateTime: instant(lastOf(thread)),
    uniqueSenders: [...new Set(thread.posts.map(({ from }) => from.name))],
    preview: (last?.html ?? '').replace(/<[^>]*>/g, ' ').trim(),
  };
}

function threadEntity(thread: GroupThread, group: Group): JsonObject {
  const to = [recipient({ name: group.displayName, address: group.mail ?? '' })];
  return { id: thread.id, ...commonOf(thread), isLocked: false, toRecipients: to, ccRecipients: [] };
}

function postEntity(post: GroupPost, thread: GroupThread): JsonObject {
  return {
    id: post.id,
    createdDateTime: instant(post.createdMs),
    lastModifiedDateTime: instant(post.modifiedMs),
    changeKey: `CQAAA${post.change}${post.id.slice(6, 12)}`,
    categories: [],
    receivedDateTime: instant(post.createdMs),
    hasAttachments: post.hasAttachments,
    body: { contentType: 'html', content: post.html },
    from: recipient(post.from),
    sender: recipient(post.from),
    conversationThreadId: thread.id,
    conversationId: thread.conversationId,
    newParticipants: [],
  };
}

/** Newest first, as Outlook shows them. */
const newestFirst = (threads: readonly GroupThread[]) => threads.toSorted((one, other) => lastOf(other) - lastOf(one));

function listConversations(call: GraphCall): GraphReply {
  const rows = newestFirst(threadsOf(call)).map((thread) => ({ id: thread.conversationId, ...commonOf(thread) }));
  return collectionReply(call, rows, { context: 'conversations', pageSize: 20 });
}

function listThreads(call: GraphCall): GraphReply {
  const group = groupOf(call);
  const rows = newestFirst(threadsOf(call)).map((thread) => threadEntity(thread, group));
  return collectionReply(call, rows, { context: 'threads', pageSize: 20 });
}

const getThread = (call: GraphCall) =>
  entityReply(call, threadEntity(threadOf(call), groupOf(call)), { context: 'threads/$entity' });

function listPosts(call: GraphCall): GraphReply {
  const thread = threadOf(call);
  const rows = thread.posts.map((post) => postEntity(post, thread));
  return collectionReply(call, rows, { context: 'posts', pageSize: 10 });
}

function getPost(call: GraphCall): GraphReply {
  const thread = threadOf(call);
  const post = call.tenant.groupThreads.post(groupOf(call).id, thread.id, call.params['post'] ?? '');
  return entityReply(call, postEntity(post, thread), { context: 'posts/$entity' });
}

/** No application permission opens it, whichever an application has. */
function notForApplications(call: GraphCall): GraphReply {
  if (call.caller.userId !== null)
    throw new GraphError(501, 'NotImplemented', 'The sandbox does not do this in the name of people.');
  throw new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');
}

const get = (path: string, handle: GraphHandler): GraphRoute => ({ method: 'GET', path, handle, permissions: readers });

/** Conversations of Microsoft 365 groups; their calendars and the files on posts are for signed-in members alone. */
export const threadRoutes: readonly GraphRoute[] = [
  get('/groups/{group}/conversations', listConversations),
  get('/groups/{group}/threads', listThreads),
  get('/groups/{group}/threads/{thread}', getThread),
  get('/groups/{group}/threads/{thread}/posts', listPosts),
  get('/groups/{group}/threads/{thread}/posts/{post}', getPost),
  get('/groups/{group}/threads/{thread}/posts/{post}/attachments', notForApplications),
  get('/groups/{group}/events', notForApplications),
  get('/groups/{group}/calendar/events', notForApplications),
  { method: 'POST', path: '/groups/{group}/threads', handle: notForApplications },
  { method: 'POST', path: '/groups/{group}/threads/{thread}/reply', handle: notForApplications },
];
