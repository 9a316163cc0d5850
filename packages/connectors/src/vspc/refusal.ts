import { z } from 'zod';
import type { ConnectorErrorKind } from '../base/connector-error.ts';
import { ConnectorError } from '../base/connector-error.ts';
import type { HttpReply } from '../http/message.ts';

/** The vendor's `ErrorResponse`. */
const errorResponse = z.object({
  errors: z.array(z.object({ message: z.string(), type: z.string().nullish(), code: z.int().nullish() })).nullish(),
});
export type VspcError = { message: string; type?: string | null | undefined; code?: number | null | undefined };

/** Longer texts of a vendor are cut: they may hold whole stack traces. */
const TEXT_LENGTH_MAX = 500;
/** An error is small; what is larger is not searched for one. */
const ERROR_SIZE_BYTES_MAX = 64 * 1024;

/** The vendor's own errors in a reply, as far as it has the shape its description gives them. */
export function readErrors(reply: HttpReply): readonly VspcError[] {
  if (reply.body.length > ERROR_SIZE_BYTES_MAX) return [];
  try {
    return errorResponse.parse(JSON.parse(Buffer.from(reply.body).toString('utf8'))).errors ?? [];
  } catch {
    // Not the vendor's shape, a proxy's page perhaps: then the status alone speaks.
    return [];
  }
}

/** Whether the vendor says that the same request may succeed later (`retryableLogical`). */
export function isTransientRefusal(reply: HttpReply): boolean {
  return reply.status >= 400 && readErrors(reply).some((error) => error.type === 'retryableLogical');
}

/** Turns a reply that is not a success into the error it means. `what` names the request without its query. */
export function refusalOf(reply: HttpReply, what: string, secrets: readonly string[]): ConnectorError {
  const errors = readErrors(reply);
  const isSecurity = errors.some((error) => error.type === 'security');
  const [kind, advice] = kindOf(reply.status, isSecurity);
  const said = errors.map((error) => error.message.replaceAll('\r\n', ' ')).join(' / ');
  const quoted = said === '' ? '' : `: "${withoutSecrets(said, secrets).slice(0, TEXT_LENGTH_MAX)}"`;
  return new ConnectorError(kind, `${what} answered ${reply.status}${quoted}; ${advice}`);
}

function kindOf(status: number, isSecurity: boolean): [ConnectorErrorKind, string] {
  if (status === 401) return ['wrong-credentials', 'check the API key, or user name and password'];
  if (status === 403 || isSecurity) return ['not-allowed', 'give the user of the API key a role that may read this'];
  if (status === 404) return ['wrong-version', 'a console with REST API v3 is needed there (version 8 or newer)'];
  if (status >= 300 && status < 400) {
    return ['wrong-version', 'it points elsewhere and is not followed; enter the final address of the console'];
  }
  if (status >= 500) return ['not-reachable', 'the console has a fault of its own; it is asked again later'];
  return ['bad-reply', 'the console does not accept this request'];
}

/** Vendors quote what they were sent. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '(secret)')), text);
}
