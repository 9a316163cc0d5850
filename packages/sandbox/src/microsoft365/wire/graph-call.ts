import type { Readable } from 'node:stream';
import type { Tenant } from '../tenant.ts';

/** Who asks: an application alone, or an application on behalf of a signed-in user. */
export interface Caller {
  applicationId: string;
  /** `null` for an application that asks without a user. */
  userId: string | null;
  /** Application permissions or delegated scopes, such as `Mail.ReadWrite`. */
  permissions: ReadonlySet<string>;
  /** Whether its token was asked for with the claims of a challenge. */
  hasClaims?: boolean;
}

export type GraphMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A request to Graph as handlers see it, whether it was sent alone or in a `$batch`. */
export interface GraphCall {
  tenant: Tenant;
  caller: Caller;
  method: GraphMethod;
  /** Path below the version, as sent, such as `/users/42/messages`. */
  path: string;
  /** Values of the template's `{names}`, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; the bytes of any other content type; `undefined` without a body. */
  body: unknown;
  /** Start of absolute links, such as `http://127.0.0.1:4711/v1.0`. */
  baseUrl: string;
}

/** `body` is sent as JSON unless it is bytes or a stream. */
export interface GraphReply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | Readable | object;
}

export type GraphHandler = (call: GraphCall) => GraphReply | Promise<GraphReply>;

/**
 * One operation. The path is a template of the published description without its parameters' suffixes, such as
 * `/users/{user}/mailFolders/{folder}/messages/delta()`. Functions are matched with and without the namespace
 * `microsoft.graph.` and with and without empty parentheses, as at the vendor.
 */
export interface GraphRoute {
  method: GraphMethod;
  path: string;
  handle: GraphHandler;
  /** The caller needs one of these; without them every caller with a token may. */
  permissions?: readonly string[] | ((tenant: Tenant) => readonly string[]);
  /** Counts against the budget of the mailbox of `{user}`: 4 at a time and 10,000 in ten minutes for an application. */
  budget?: 'mailbox';
}
