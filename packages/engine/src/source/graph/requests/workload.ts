/** Whose limits apply to a request; mailboxes differ by the key. */
export interface Workload {
  kind: 'mailbox' | 'sharepoint' | 'teams' | 'directory';
  key: string;
}

const ofMailbox =
  /^\/(?:users\/([^/?]+)|(me))\/(?:mailFolders|messages|events|calendar|calendars|calendarGroups|calendarView|contacts|contactFolders|todo|outlook|sendMail|settings|mailboxSettings)(?:[/?(]|$)/i;
const ofGroupMailbox = /^\/groups\/([^/?]+)\/(?:conversations|threads|calendar|calendarView|events)(?:[/?(]|$)/i;
const ofExchange = /^\/admin\/exchange\/mailboxes\/([^/?]+)/i;
const ofSharePoint = /^\/(?:drives|sites|shares|(?:users|groups)\/[^/?]+\/(?:drive|drives|sites))(?:[/?(]|$)/i;
/** What a link that needs no token leads to: a download, a piece of an upload, the look at a copy. */
const ofSharePointLink = /^https?:\/\/[^/?]+\/(?:[^?]*\/)?_(?:layouts|api)\//i;
/** Of SharePoint's own interface, below the host of a site. */
const ofSharePointRest = /^\/(?:[^?]*\/)?_api\//i;
const ofTeams = /^\/(?:teams|chats|users\/[^/?]+\/(?:chats|joinedTeams|teamwork))(?:[/?(]|$)/i;

/** The workload of a path below the version; https://learn.microsoft.com/graph/throttling-limits */
export function workloadOf(path: string): Workload {
  const mailbox = ofMailbox.exec(path) ?? ofGroupMailbox.exec(path) ?? ofExchange.exec(path);
  const whose = mailbox?.[1] ?? mailbox?.[2];
  if (whose !== undefined) return mailboxWorkload(whose);
  if (ofSharePoint.test(path) || ofSharePointLink.test(path) || ofSharePointRest.test(path))
    return { kind: 'sharepoint', key: 'sharepoint' };
  if (ofTeams.test(path)) return { kind: 'teams', key: 'teams' };
  return { kind: 'directory', key: 'directory' };
}

/**
 * What a request costs in SharePoint's resource units: 1 for one item, a download and a delta with a token, 2 for lists and
 * for whatever writes, 5 for all that concerns permissions.
 * https://learn.microsoft.com/sharepoint/dev/general-development/how-to-avoid-getting-throttled-or-blocked-in-sharepoint-online
 */
export function resourceUnitsOf(method: string, path: string): number {
  if (/\/permissions|\/invite|permissions|roleassignments|sitegroups/i.test(path)) return 5;
  if (method !== 'GET') return 2;
  if (/\/delta/i.test(path)) return /token/i.test(path) ? 1 : 2;
  return /\/(?:children|items|lists|drives|sites|versions|columns|contentTypes|pages)(?:\?|$)/i.test(path) ? 2 : 1;
}

/** The workload of a mailbox by its name as paths contain it. */
export const mailboxWorkload = (name: string): Workload => ({ kind: 'mailbox', key: `mailbox/${name.toLowerCase()}` });
