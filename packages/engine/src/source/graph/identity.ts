import { EngineError, type EngineErrorCode } from '../../model/engine-error.ts';
import type { Clock } from './clock.ts';
import { type JsonObject, numberOf, objectOf, textOf } from './json.ts';
import { type Attempt, retryAfterMs, unreachable, untilItWorks } from './requests/attempts.ts';
import { heldText } from './requests/held-text.ts';
import type { Send } from './requests/transport.ts';
import type { AccessToken } from './sign-in/token.ts';

export interface IdentityAddress {
  loginUrl: string;
  tenantId: string;
  send: Send;
  clock: Clock;
  timeLimitMs: number;
  /** Attempts at a sign-in while the platform is unwell; default: eight. */
  attemptsMax?: number | undefined;
}

/** A refusal of the identity platform. */
export class SignInError extends EngineError {
  /** Of OAuth: `authorization_pending`, `invalid_grant`, … */
  readonly oauthError: string;
  /** AADSTS codes, by which programs distinguish what was wrong. */
  readonly numbers: readonly number[];

  constructor(code: EngineErrorCode, oauthError: string, message: string, numbers: readonly number[] = []) {
    super(code, message);
    this.oauthError = oauthError;
    this.numbers = numbers;
  }
}

export const tokenUrl = ({ loginUrl, tenantId }: Pick<IdentityAddress, 'loginUrl' | 'tenantId'>) =>
  `${loginUrl}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;

/** Tokens are a few kilobytes. */
const REPLY_BYTES_MAX = 2 ** 20;

/**
 * Sends a form to an endpoint below `/{tenant}/oauth2/v2.0/`, again while the platform is unwell.
 * @throws SignInError for a refusal, EngineError `source-unreachable`
 */
export function postForm(
  address: IdentityAddress,
  endpoint: 'token' | 'devicecode',
  fields: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const url = tokenUrl(address).replace(/token$/, endpoint);
  const limit = () => AbortSignal.any([AbortSignal.timeout(address.timeLimitMs), ...(signal ? [signal] : [])]);
  // Signing in has no budget that would obey the pauses: each pause is waited for before the next attempt.
  let pausedUntilMs: number | null = null;
  return untilItWorks(
    async (): Promise<Attempt<JsonObject>> => {
      const pauseMs = (pausedUntilMs ?? 0) - address.clock.now();
      if (pauseMs > 0) await address.clock.sleep(pauseMs, signal);
      const reply = await post(address.send, url, fields, limit()).catch((cause: unknown) => {
        signal?.throwIfAborted();
        return unreachable(`the sign-in at ${address.loginUrl}`, cause);
      });
      if (reply instanceof EngineError) return { failure: reply, pausedUntilMs: null };
      if (reply.status === 200) return { value: reply.body };
      const failure = signInErrorOf(address.tenantId, fields['client_id'] ?? '', reply.status, reply.body);
      if (reply.status !== 429 && reply.status < 500) throw failure;
      pausedUntilMs = retryAfterMs(reply.retryAfter, address.clock.now());
      return { failure, pausedUntilMs };
    },
    address.clock,
    signal,
    address.attemptsMax,
  );
}

async function post(send: Send, url: string, fields: Readonly<Record<string, string>>, signal: AbortSignal) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  const body = new URLSearchParams(fields).toString();
  const reply = await send({ url, method: 'POST', headers, body, signal });
  const text = await heldText(reply, REPLY_BYTES_MAX);
  const retryAfter = reply.header('retry-after');
  return { status: reply.status, retryAfter, body: objectOf(text === '' ? undefined : JSON.parse(text)) };
}

/** @throws EngineError when the reply contains no token */
export function accessTokenOf(body: JsonObject, nowMs: number): AccessToken {
  const value = textOf(body['access_token']);
  const seconds = numberOf(Number(body['expires_in']));
  if (value !== undefined && seconds !== undefined) return { value, expiresMs: nowMs + seconds * 1_000 };
  throw new EngineError('credentials-refused', 'The identity platform answered a sign-in without a token. Try again.');
}

/** AADSTS codes; https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const MEANINGS: Readonly<Record<number, { code: EngineErrorCode; advice: string }>> = {
  7000215: { code: 'credentials-refused', advice: 'The secret is wrong. Give the value of a secret, not its id.' },
  7000222: { code: 'credentials-refused', advice: 'The secret has expired. Make a new one and give it here.' },
  700027: {
    code: 'credentials-refused',
    advice: 'The certificate is not registered on the application, or it has expired. Register it, or renew it.',
  },
  700016: {
    code: 'credentials-refused',
    advice: 'The tenant does not know the application. Check its id, or register it again.',
  },
  700024: {
    code: 'credentials-refused',
    advice: 'The proof is not valid at this time. Check the clock of this machine.',
  },
  7000229: {
    code: 'consent-missing',
    advice: 'The application has no service principal in the tenant. Let an administrator consent to it.',
  },
  53003: {
    code: 'credentials-refused',
    advice:
      'A Conditional Access policy of the tenant blocks the application. Let an administrator allow it, from the addresses of this machine too.',
  },
  65001: {
    code: 'consent-missing',
    advice: 'The application has no consent in the tenant. Let an administrator consent to it.',
  },
  90002: { code: 'source-gone', advice: 'There is no such tenant (any more). Check its id and the region.' },
  700082: { code: 'credentials-refused', advice: 'The sign-in is too old. Sign in again.' },
  50173: { code: 'credentials-refused', advice: 'The sign-in was revoked. Sign in again.' },
};

function signInErrorOf(tenantId: string, clientId: string, status: number, body: JsonObject): SignInError {
  const codes = Array.isArray(body['error_codes']) ? body['error_codes'] : [];
  const known = codes.map((code) => MEANINGS[Number(code)]).find((meaning) => meaning !== undefined);
  const oauthError = textOf(body['error']) ?? String(status);
  const said = (textOf(body['error_description']) ?? oauthError).split(/ Trace ID|\r?\n/, 1)[0];
  return new SignInError(
    known?.code ?? 'credentials-refused',
    oauthError,
    `The application ${clientId} could not sign in to the tenant ${tenantId}: ${said} ${known?.advice ?? 'Check its settings.'}`,
    codes.map(Number),
  );
}
