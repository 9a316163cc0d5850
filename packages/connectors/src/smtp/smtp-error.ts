import { ConnectorError } from '../base/connector-error.ts';

/** Replies that say which setting is wrong (RFC 5321, 4.2.3, and RFC 4954, 6). */
const CREDENTIALS = [530, 534, 535, 538];
const REFUSED = [550, 551, 553, 554];

/** Names what went wrong with a mail server. @param what was to be done */
export function smtpError(error: unknown, what: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { code, responseCode, response, command } = partsOf(error);
  const said = response === null ? '' : `: ${response}`;
  const isBusy = responseCode >= 400 && responseCode < 500;
  if (code === 'EAUTH' || CREDENTIALS.includes(responseCode))
    return new ConnectorError('wrong-credentials', `${what}: the server refused the user or the password${said}`);
  // No receiver, or an address that is none: the server works, and accepts the next mail.
  if (code === 'EENVELOPE' && ['API', 'RCPT TO'].includes(command) && !isBusy)
    return new ConnectorError('not-allowed', `${what}: the receiver was refused (${reasonOf(error)})`);
  if (REFUSED.includes(responseCode)) return new ConnectorError('not-allowed', `${what}: the server refused it${said}`);
  if (isBusy) return new ConnectorError('throttled', `${what}: the server is busy${said}`, { retryAfterMs: 60_000 });
  if (code === 'ETLS')
    return new ConnectorError(
      'not-reachable',
      `${what}: no encrypted connection could be agreed on (${reasonOf(error)})`,
    );
  if (responseCode > 0) return new ConnectorError('bad-reply', `${what}${said}`);
  return new ConnectorError('not-reachable', `${what}: ${reasonOf(error)}`, { cause: error });
}

interface Parts {
  code: string;
  responseCode: number;
  response: string | null;
  /** Of the conversation with the server at which it failed; `API`: before any. */
  command: string;
}

function partsOf(error: unknown): Parts {
  const found: Parts = { code: '', responseCode: 0, response: null, command: '' };
  if (!(error instanceof Error)) return found;
  if ('code' in error && typeof error.code === 'string') found.code = error.code;
  if ('responseCode' in error && typeof error.responseCode === 'number') found.responseCode = error.responseCode;
  if ('command' in error && typeof error.command === 'string') found.command = error.command;
  if ('response' in error && typeof error.response === 'string') found.response = error.response;
  return found;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown error');
