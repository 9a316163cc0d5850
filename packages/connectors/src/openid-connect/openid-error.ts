import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { ConnectorError } from '../base/connector-error.ts';

const DETAIL_LENGTH_MAX = 300;

/** Names what went wrong with a provider. @param signal whose reason it is where it was aborted */
export function openIdError(error: unknown, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  const sent = causeOf(error);
  if (sent !== null) return sent;
  if (error instanceof ResponseBodyError) return refusalOf(error);
  if (error instanceof AuthorizationResponseError) return notAllowed(error);
  if (isOfAnswer(error))
    return new ConnectorError('bad-reply', `Its answer cannot be trusted: ${short(wordsOf(error))}.`, { cause: error });
  return error;
}

/** Both libraries below say by a code that an answer is not as it must be. */
function isOfAnswer(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error instanceof ClientError || ('code' in error && String(error.code).startsWith('OAUTH_'));
}

/** Of a reply from server to server. */
function refusalOf(error: ResponseBodyError): ConnectorError {
  if (!['invalid_client', 'unauthorized_client'].includes(error.error)) return notAllowed(error);
  const message = `It refused the client id or the client secret (${saidOf(error)}).`;
  return new ConnectorError('wrong-credentials', message, { cause: error });
}

/** What came through a browser says nothing of the settings: a person can write it. */
function notAllowed(error: AuthorizationResponseError | ResponseBodyError): ConnectorError {
  return new ConnectorError('not-allowed', `It refused the sign-in (${saidOf(error)}).`, { cause: error });
}

const saidOf = (refused: AuthorizationResponseError | ResponseBodyError) =>
  short([refused.error, refused.error_description].filter(Boolean).join(': '));

/** The words of the error and of what it was caused by, which says which claim is wrong. */
function wordsOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** The error of the way to it, whatever was made of it. */
function causeOf(error: unknown): ConnectorError | null {
  if (error instanceof ConnectorError) return error;
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : null;
}

const short = (text: string) => text.replaceAll(/\p{C}/gu, ' ').slice(0, DETAIL_LENGTH_MAX).replace(/\.$/, '');
