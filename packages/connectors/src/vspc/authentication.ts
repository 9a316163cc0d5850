import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import { parseJson } from '../http/json.ts';
import type { HttpReply, Send } from '../http/message.ts';
import { refusalOf, withoutSecrets } from './refusal.ts';
import type { VspcCredentials, VspcSettings } from './settings.ts';

/** Where bearer tokens come from. */
export interface Authentication {
  /** A token to send. `refused`: the one that the console has just answered 401 to, so that it is not given again. */
  token(signal: AbortSignal, refused?: string): Promise<string>;
  /** Proves that another user may sign in, by a token for that user, which is dropped. Throws a `ConnectorError` if not. */
  proveUser(userUid: string, signal: AbortSignal): Promise<void>;
  /** What must not be in any message. */
  secrets(): readonly string[];
}

/** An API key is its own token and never renewed. */
export function keyAuthentication(apiKey: string): Authentication {
  return {
    token: async (_signal, refused) => {
      if (refused === undefined) return apiKey;
      throw new ConnectorError(
        'wrong-credentials',
        'The console does not know this API key; make a new one and enter it',
      );
    },
    proveUser: async () => {
      throw new ConnectorError(
        'not-allowed',
        'The console is connected with an API key, with which it confirms no other user; connect it with user name and password',
      );
    },
    secrets: () => [apiKey],
  };
}

/** OAuth2Result. `expires_in` is seconds, as in RFC 6749; the vendor's description calls it a date but types it integer. */
const tokenReply = z.object({
  access_token: z.string().min(1).nullish(),
  refresh_token: z.string().min(1).nullish(),
  mfa_token: z.string().nullish(),
  expires_in: z.number().positive().nullish(),
});
const tokenError = z.object({ error: z.string(), error_description: z.string().nullish() });

interface Session {
  accessToken: string;
  refreshToken: string | null;
  /** `null`: the console did not say; used until it is refused. */
  expiresAtMs: number | null;
}

/** A token is not used in its last minute: a request must not outlive it on the way. */
const EXPIRY_MARGIN_MS = 60_000;

/**
 * Signs in with user name and password, and renews with the refresh token, or by signing in again when that is refused.
 * There is one sign-in at a time: the vendor's documentation warns that parallel ones of a user disturb each other.
 */
export function passwordAuthentication(
  send: Send,
  settings: Pick<VspcSettings, 'baseUrl'> & { credentials: { username: string; password: string } },
  now: () => Date,
): Authentication {
  const { username, password } = settings.credentials;
  const url = new URL('token', settings.baseUrl);
  let session: Session | null = null;
  let renewal: Promise<Session> | null = null;

  const secrets = () => [password, session?.accessToken ?? '', session?.refreshToken ?? ''];

  /** Runs to its end even when a caller leaves, since others wait for it too; the client's own limits bound it. */
  async function renew(old: Session | null): Promise<Session> {
    const signal = new AbortController().signal;
    if (old?.refreshToken) {
      const form = { grant_type: 'refresh_token', refresh_token: old.refreshToken };
      const reply = await postForm(send, url, form, signal);
      // 400: the refresh token is used up or too old. Then the password has to do.
      if (reply.status !== 400 && reply.status !== 401) return readSession(reply, now(), secrets());
    }
    const reply = await postForm(send, url, { grant_type: 'password', username, password }, signal);
    return readSession(reply, now(), secrets());
  }

  const usable = async (signal: AbortSignal, refused?: string): Promise<Session> => {
    const isUsable =
      session !== null &&
      session.accessToken !== refused &&
      (session.expiresAtMs === null || session.expiresAtMs - EXPIRY_MARGIN_MS > now().getTime());
    if (session && isUsable) return session;
    renewal ??= renew(session)
      .then((renewed) => {
        session = renewed;
        return renewed;
      })
      .finally(() => {
        renewal = null;
      });
    return leaveOnAbort(renewal, signal);
  };

  return {
    secrets,
    token: async (signal, refused) => (await usable(signal, refused)).accessToken,
    proveUser: async (userUid, signal) => {
      const held = await usable(signal);
      const own = held.refreshToken === null ? await usable(signal, held.accessToken) : held;
      const { refreshToken } = own;
      if (refreshToken === null)
        throw new ConnectorError('not-allowed', 'The console gave no token with which another user can be confirmed');
      // It may be good for this one use.
      own.refreshToken = null;
      const form = { grant_type: 'as', refresh_token: refreshToken, userUid, readOnly: 'true' };
      const reply = await postForm(send, url, form, signal, false);
      if (reply.status === 400) throw userRefusal(reply, [...secrets(), refreshToken]);
      if (reply.status !== 200) throw refusalOf(reply, 'Confirming the account', [...secrets(), refreshToken]);
    },
  };
}

export function isApiKey(credentials: VspcCredentials): credentials is { apiKey: string } {
  return 'apiKey' in credentials;
}

/** Asking for a token twice does no harm, so it counts as idempotent, unless what it is asked with is good once. */
function postForm(
  send: Send,
  url: URL,
  form: Record<string, string>,
  signal: AbortSignal,
  isIdempotent = true,
): Promise<HttpReply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return send({ method: 'POST', url, headers, body: new URLSearchParams(form).toString(), isIdempotent }, signal);
}

function readSession(reply: HttpReply, now: Date, secrets: readonly string[]): Session {
  const what = 'Signing in to the console';
  if (reply.status === 400) throw signInRefusal(reply, what, secrets);
  if (reply.status !== 200) throw refusalOf(reply, what, secrets);
  const result = tokenReply.safeParse(parseJson(reply, what));
  if (!result.success) throw new ConnectorError('bad-reply', `${what}: the answer is not that of a console`);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInS } = result.data;
  if (!accessToken) {
    const text = `${what}: this user needs a second factor (MFA); enter an API key or use an account without it`;
    throw new ConnectorError(result.data.mfa_token ? 'wrong-credentials' : 'bad-reply', text);
  }
  const expiresAtMs = expiresInS ? now.getTime() + expiresInS * 1000 : null;
  return { accessToken, refreshToken: refreshToken ?? null, expiresAtMs };
}

/** OAuth2Error: every 400 of the token call is about who asks; what is asked is always the same and well-formed. */
function signInRefusal(reply: HttpReply, what: string, secrets: readonly string[]): ConnectorError {
  const said = tokenError.safeParse(parseJson(reply, what));
  const text = said.success ? (said.data.error_description ?? said.data.error) : 'no reason given';
  return new ConnectorError(
    'wrong-credentials',
    `${what}: "${withoutSecrets(text, secrets)}"; check user name and password`,
  );
}

/** OAuth2Error about the user whom the grant `as` names. */
function userRefusal(reply: HttpReply, secrets: readonly string[]): ConnectorError {
  const said = tokenError.safeParse(parseJson(reply, 'Confirming a user'));
  const text = said.success ? (said.data.error_description ?? said.data.error) : 'no reason given';
  return new ConnectorError(
    'not-allowed',
    `The console does not let this account sign in: "${withoutSecrets(text, secrets)}"`,
  );
}

function leaveOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
