import { ConnectorError } from '../base/connector-error.ts';

/** Replies that say which setting is wrong (RFC 5321, 4.2.3, and RFC 4954, 6). */
const CREDENTIALS = [530, 534, 535, 538];
const REFUSED = [550, 551, 553, 554];

/** Names what went wrong with a mail server. @param what was to be done */
export function smtpError(error: unknown, what: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { code, responseCode, response } = partsOf(error);
  const said = response === null ? '' : `: ${response}`;
  if (code === 'EAUTH' || CREDENTIALS.includes(responseCode))
    return new ConnectorError('wrong-credentials', `${what}: the server refused the user or the password${said}`);
  if (REFUSED.includes(responseCode)) return new ConnectorError('not-allowed', `${what}: the server refused it${said}`);
  if (responseCode >= 400 && responseCode < 500)
    return new ConnectorError('throttled', `${what}: the server is busy${said}`, { retryAfterMs: 60_000 });
  if (code === 'ETLS')
    return new ConnectorError(
      'not-reachable',
      `${what}: no encrypted connection could be agreed on (${reasonOf(error)})`,
    );
  if (responseCode > 0) return new ConnectorError('bad-reply', `${what}${said}`);
  return new ConnectorError('not-reachable', `${what}: ${reasonOf(error)}`, { cause: error });
}

function partsOf(error: unknown): { code: string; responseCode: number; response: string | null } {
  const found = { code: '', responseCode: 0, response: null as string | null };
  if (!(error instanceof Error)) return found;
  if ('code' in error && typeof error.code === 'string') found.code = error.code;
  if ('responseCode' in error && typeof error.responseCode === 'number') found.responseCode = error.responseCode;
  if ('response' in error && typeof error.response === 'string') found.response = error.response;
  return found;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown error');
