import { GraphError } from './graph-error.ts';

/** The directory's word for what does not exist. */
export const resourceNotFound = (id: string) =>
  new GraphError(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );

/** The mailbox's word for what does not exist (any more). */
export const itemNotFound = () =>
  new GraphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');

/** A user without a mailbox in the cloud. */
export const noMailbox = () =>
  new GraphError(
    404,
    'MailboxNotEnabledForRESTAPI',
    'The mailbox is either inactive, soft-deleted, or is hosted on-premise.',
  );

export const badRequest = (message: string, code = 'BadRequest') => new GraphError(400, code, message);

/** The position of a delta token no longer exists: a full synchronization is required. */
export const syncStateGone = (code = 'SyncStateNotFound') =>
  new GraphError(410, code, 'The sync state generation is not found; start again with a full synchronization.');

const denials: readonly [RegExp, string, string][] = [
  [
    /^\/users\/[^/]+\/(messages|mailFolders|calendar|events|contact|todo|sendMail|mailboxSettings|outlook|settings|photo)/i,
    'ErrorAccessDenied',
    'Access is denied. Check credentials and try again.',
  ],
  [
    /^\/(admin\/exchange|groups\/[^/]+\/(threads|conversations|events|calendar))/i,
    'ErrorAccessDenied',
    'Access is denied. Check credentials and try again.',
  ],
  [/^\/(drives|sites|users\/[^/]+\/drive|groups\/[^/]+\/(drive|sites))/i, 'accessDenied', 'Access denied'],
  [
    /^\/(teams|chats|users\/[^/]+\/(chats|joinedTeams))/i,
    'Forbidden',
    'Missing role permissions on the request or missing scope permissions on the request.',
  ],
];

/** What a caller without permission hears; each workload has its own word. */
export function accessDenied(path: string): GraphError {
  const known = denials.find(([pattern]) => pattern.test(path));
  if (known) return new GraphError(403, known[1], known[2]);
  return new GraphError(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.');
}
