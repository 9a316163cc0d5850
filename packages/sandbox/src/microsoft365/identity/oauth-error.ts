import type { GraphReply } from '../wire/graph-call.ts';

/** A refusal of the identity platform, with the number its `AADSTS` code carries. */
export class OAuthError extends Error {
  readonly error: string;
  readonly code: number;
  readonly status: number;

  constructor(error: string, code: number, message: string, status = 400) {
    super(`AADSTS${code}: ${message}`);
    this.error = error;
    this.code = code;
    this.status = status;
  }
}

export function oauthRefusal(error: OAuthError, requestId: string, nowMs: number): GraphReply {
  const timestamp = `${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const trace = `Trace ID: ${requestId} Correlation ID: ${requestId} Timestamp: ${timestamp}`;
  return {
    status: error.status,
    headers: { 'cache-control': 'no-store, no-cache' },
    body: {
      error: error.error,
      error_description: `${error.message} ${trace}`,
      error_codes: [error.code],
      timestamp,
      trace_id: requestId,
      correlation_id: requestId,
      error_uri: `https://login.microsoftonline.com/error?code=${error.code}`,
    },
  };
}
