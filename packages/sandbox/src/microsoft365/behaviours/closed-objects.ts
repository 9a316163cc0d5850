import { hasSharedScope } from '../identity/granted-scopes.ts';
import type { Site } from '../sites/site.ts';
import type { Tenant } from '../tenant.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { appliesTo } from './behaviours.ts';

const locked = () => new GraphError(423, 'resourceLocked', 'The site is locked. Contact the administrator.');
const readOnly = () =>
  new GraphError(423, 'resourceLocked', 'The site is read-only. Content cannot be added, changed or deleted.');
const full = () => new GraphError(507, 'ErrorQuotaExceeded', 'Mailbox has exceeded maximum mailbox size.');
const archived = () => new GraphError(403, 'accessDenied', 'The site has been archived and cannot be accessed.');
const redirected = () => new GraphError(301, 'movedPermanently', 'The site has been moved to another address.');
const closed = () =>
  new GraphError(
    403,
    'ErrorAccessDenied',
    'Access to OData is disabled: [RAOP] : Blocked by tenant configured AppOnly AccessPolicy settings.',
  );

/** @throws GraphError for a call about a site that is locked, archived or moved, and for a change of one that is read-only */
export function requireOpenSite(call: GraphCall): void {
  const { lockedSites, archivedSites, redirectedSites, readOnlySites } = call.tenant.behaviours;
  if (!lockedSites && !archivedSites && !redirectedSites && !readOnlySites) return;
  const site = siteOfCall(call);
  if (site === undefined) return;
  if (appliesTo(lockedSites, site.id)) throw locked();
  if (appliesTo(archivedSites, site.id)) throw archived();
  if (appliesTo(redirectedSites, site.id)) throw redirected();
  if (call.method !== 'GET' && appliesTo(readOnlySites, site.id)) throw readOnly();
}

/**
 * @param required the permissions of which the call needs one
 * @throws GraphError for the mailbox of another user that is not shared with the signed-in user, and for one that is where the token has no
 *   scope for what is shared. https://learn.microsoft.com/graph/permissions-reference
 */
export function requireReach({ tenant, caller, params }: GraphCall, required: readonly string[]): void {
  const { ownMailboxAlone, sharedScopes } = tenant.behaviours;
  if (!ownMailboxAlone || caller.userId === null) return;
  const user = userOfMailbox(tenant, params['user'] ?? params['mailbox'] ?? '');
  if (user === undefined || user === caller.userId) return;
  const isShared = tenant.mailboxShares.get(user)?.has(caller.userId) === true;
  if (isShared && (!sharedScopes || hasSharedScope(caller, required))) return;
  throw new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');
}

/**
 * @throws GraphError for a mailbox that the access policy of applications leaves out. People who sign in are not concerned.
 * https://learn.microsoft.com/exchange/permissions-exo/application-rbac
 */
export function requireOpenMailbox({ tenant, caller, params }: GraphCall): void {
  if (!tenant.behaviours.closedMailboxes || caller.userId !== null) return;
  const user = userOfMailbox(tenant, params['user'] ?? params['mailbox'] ?? '');
  if (user !== undefined && appliesTo(tenant.behaviours.closedMailboxes, user)) throw closed();
}

/**
 * @throws GraphError for what would add to a mailbox that is full. Applications report the code of Exchange:
 * https://learn.microsoft.com/exchange/client-developer/web-service-reference/responsecode
 */
export function requireRoom({ tenant, params, method }: GraphCall): void {
  if (!tenant.behaviours.fullMailboxes || method !== 'POST') return;
  const user = userOfMailbox(tenant, params['user'] ?? params['mailbox'] ?? '');
  if (user !== undefined && appliesTo(tenant.behaviours.fullMailboxes, user)) throw full();
}

/** The person whose mailbox is called so, by id, sign-in name, or the id of its export. */
export function userOfMailbox({ directory, mailboxes }: Tenant, name: string): string | undefined {
  return directory.findUser(name)?.id ?? mailboxes.find(name)?.user.id;
}

/** The site that a path below `/sites`, `/drives`, `/users/…/drive` or `/groups/…/drive` leads into. */
function siteOfCall({ tenant, params, path }: GraphCall): Site | undefined {
  const { sites, drives } = tenant;
  const { site, sitePath, drive, user, group } = params;
  const all = sites.all();
  if (sitePath !== undefined) return all.find(({ facts }) => facts.path.toLowerCase() === `/${sitePath}`.toLowerCase());
  if (site !== undefined) return sites.find(site) ?? all.find(({ facts }) => facts.webId === site);
  if (group !== undefined) return sites.ofGroup(group);
  const found = drive === undefined ? drives.ofUser(user ?? '') : drives.find(drive);
  return /drive/i.test(path) ? all.find(({ facts }) => facts.webId === found?.facts.site.webId) : undefined;
}
