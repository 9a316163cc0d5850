import { errors } from 'undici';
import type { ConnectorErrorKind } from '../base/connector-error.ts';
import { ConnectorError } from '../base/connector-error.ts';

/** No whole reply came. `isTransient` says whether the same request may succeed a moment later. */
export class TransportError extends ConnectorError {
  readonly isTransient: boolean;

  constructor(kind: ConnectorErrorKind, message: string, options: { isTransient: boolean; cause?: unknown }) {
    super(kind, message, { cause: options.cause });
    this.name = 'TransportError';
    this.isTransient = options.isTransient;
  }
}

/** Codes of Node (errno, OpenSSL) and undici, and what each means to the person who typed the address. */
const EXPLANATIONS: readonly { codes: RegExp; text: string; isTransient: boolean }[] = [
  { codes: /^ENOTFOUND$/, text: 'the name is not known; check the address', isTransient: false },
  { codes: /^EAI_AGAIN$/, text: 'the name could not be looked up just now', isTransient: true },
  {
    codes: /^ECONNREFUSED$/,
    text: 'nothing listens there; check the port and whether the service runs',
    isTransient: true,
  },
  { codes: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, text: 'no connection within the time limit', isTransient: true },
  { codes: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, text: 'host or network unreachable', isTransient: true },
  { codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/, text: 'its certificate is for another name', isTransient: false },
  { codes: /^CERT_HAS_EXPIRED$/, text: 'its certificate has expired', isTransient: false },
  {
    codes: /SELF_SIGNED|UNABLE_TO_|CERT_|_ISSUER_/,
    text: 'its certificate is not trusted; if it is yours, enter its thumbprint in the settings',
    isTransient: false,
  },
  { codes: /^(EPROTO|ERR_SSL_.*|ERR_TLS_.*)$/, text: 'no encrypted connection could be agreed on', isTransient: false },
  {
    codes: /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    text: 'the connection was cut before the reply was whole',
    isTransient: true,
  },
];

/**
 * Names a failure of the way to a vendor. `what` is the request as `describeRequest` words it; `error` becomes the cause.
 * What is no HTTP at all is a `bad-reply`, all else `not-reachable`.
 */
export function transportError(error: unknown, what: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (error instanceof errors.HTTPParserError) {
    const text = `${what}: what answers there does not speak HTTP; check the address and the port`;
    return new TransportError('bad-reply', text, { isTransient: false, cause: error });
  }
  const code = codeOf(error);
  const known = EXPLANATIONS.find((explanation) => explanation.codes.test(code));
  const text = known ? `${known.text} (${code})` : `the request failed (${code || 'no code'})`;
  return new TransportError('not-reachable', `${what}: ${text}`, {
    isTransient: known?.isTransient ?? false,
    cause: error,
  });
}

/** The code of an error, of what it was caused by, or, when several addresses were tried, of the first of them. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
