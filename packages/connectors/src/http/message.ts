/** One request to a vendor. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  /** Lower-case names. Carries the credentials, so it is never logged. */
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Whether sending it twice does no harm; only then it is retried. */
  isIdempotent: boolean;
}

/** A whole reply, whatever its status. */
export interface HttpReply {
  status: number;
  /** Lower-case names; of a repeated header the first. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/**
 * Sends a request and returns the reply, whatever its status. Throws a `ConnectorError` when there is none, and the signal's
 * reason when it is aborted. Time limit, retry, throttle, concurrency and log are wrappers of this one type.
 */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;

/** How a request is named to a person: method and address without query, so without anything typed into a form. */
export function describeRequest(request: HttpRequest): string {
  return `${request.method} ${request.url.origin}${request.url.pathname}`;
}
