import type { SiteList } from '../sites/lists/site-list.ts';
import type { Site } from '../sites/site.ts';
import type { Tenant } from '../tenant.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { JsonObject } from '../wire/json.ts';

/** A request to the interface of one site. */
export interface RestCall {
  tenant: Tenant;
  site: Site;
  /** Behind `/_api/`, decoded but for quoted values. */
  path: string;
  query: URLSearchParams;
  /** Address of this very call without its query. */
  url: string;
  body: unknown;
}

/** A refusal in SharePoint's shape. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const notFound = () =>
  new RestError(404, '-2130575338, Microsoft.SharePoint.SPException', 'Item does not exist. It may have been deleted.');

export const denied = () =>
  new RestError(
    403,
    '-2147024891, System.UnauthorizedAccessException',
    'Attempted to perform an unauthorized operation.',
  );

export const listIn = ({ site }: RestCall, id = ''): SiteList => {
  const list = site.lists.get(id);
  if (list === undefined) throw notFound();
  return list;
};

/** The properties that were selected; some are given out only then. */
export function selected(query: URLSearchParams, entity: JsonObject): JsonObject {
  const names =
    query.get('$select')?.split(',') ?? Object.keys(entity).filter((name) => name !== 'HasUniqueRoleAssignments');
  return Object.fromEntries(names.map((name) => [name, entity[name]]));
}

/** A quoted value of a path: a quote in it is doubled. */
export const unquoted = (text = ''): string => decodeURIComponent(text).replaceAll("''", "'");

export const ok = (body: object): GraphReply => ({ status: 200, body });
