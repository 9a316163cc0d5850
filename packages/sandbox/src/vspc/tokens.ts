import { randomBytes, timingSafeEqual } from 'node:crypto';
import { VendorError } from './errors.ts';

/** Who may come in. */
export interface Credentials {
  username: string;
  password: string;
  apiKey: string;
}

/** A refusal of `POST /token`, in the shape of OAuth 2.0 (RFC 6749, section 5.2). */
export class TokenError extends Error {
  readonly error: 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type';

  constructor(error: TokenError['error'], description: string) {
    super(description);
    this.error = error;
  }
}

/** A user whom the grant `as` may name. */
interface KnownUser {
  instanceUid: string;
  role: string;
  status: string;
}

const refreshLifetimeMs = 14 * 86_400_000;

/** Issues and checks tokens. A refresh token is good for one use: the reply to it brings the next. */
export class Tokens {
  readonly #credentials: Credentials;
  readonly #lifetimeMs: number;
  readonly #nowMs: () => number;
  readonly #users: readonly KnownUser[];
  readonly #accessEnds = new Map<string, number>();
  /** Of the access tokens that the grant `as` made: whose they are. */
  readonly #asUsers = new Map<string, string>();
  readonly #refreshEnds = new Map<string, number>();

  constructor(credentials: Credentials, lifetimeMs: number, nowMs: () => number, users: readonly KnownUser[] = []) {
    this.#users = users;
    this.#credentials = credentials;
    this.#lifetimeMs = lifetimeMs;
    this.#nowMs = nowMs;
  }

  /**
   * Answers a token request of the grant types `password`, `refresh_token` and `as`.
   * @throws TokenError when the form is not complete, or its secret is wrong, used or out of date
   */
  issue(form: Readonly<Record<string, unknown>>) {
    const grantType = form.grant_type;
    if (typeof grantType !== 'string') throw new TokenError('invalid_request', 'Parameter grant_type is required.');
    if (grantType === 'password') this.#checkPassword(form);
    else if (grantType === 'refresh_token') this.#takeRefreshToken(form);
    else if (grantType === 'as') return this.#newTokens(this.#takeAsUser(form));
    else throw new TokenError('unsupported_grant_type', `Grant type '${grantType}' is not supported here.`);
    return this.#newTokens();
  }

  /**
   * Checks an Authorization header: an access token that has not run out, or the API key, which never does. Returns the user of a token
   * that the grant `as` made, `null` for the portal's own.
   * @throws VendorError 401
   */
  check(authorization: string | undefined): string | null {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined)
      throw new VendorError(401, 'security', 'Authorization header with a bearer token is required.');
    if (isSame(token, this.#credentials.apiKey)) return null;
    const endMs = this.#accessEnds.get(token);
    if (endMs === undefined) throw new VendorError(401, 'security', 'Access token is not valid.');
    if (endMs <= this.#nowMs()) throw new VendorError(401, 'security', 'Access token has expired.');
    return this.#asUsers.get(token) ?? null;
  }

  #checkPassword(form: Readonly<Record<string, unknown>>): void {
    const { username, password } = form;
    if (typeof username !== 'string' || typeof password !== 'string') {
      throw new TokenError('invalid_request', 'Parameters username and password are required.');
    }
    // Both are always compared, so that the duration does not reveal which one was wrong.
    const isUser = isSame(username.toLowerCase(), this.#credentials.username.toLowerCase());
    const isPassword = isSame(password, this.#credentials.password);
    if (!isUser || !isPassword) throw new TokenError('invalid_grant', 'User name or password is not correct.');
  }

  #takeRefreshToken(form: Readonly<Record<string, unknown>>): void {
    const token = form.refresh_token;
    if (typeof token !== 'string') throw new TokenError('invalid_request', 'Parameter refresh_token is required.');
    const endMs = this.#refreshEnds.get(token);
    this.#refreshEnds.delete(token);
    if (endMs === undefined || endMs <= this.#nowMs()) {
      throw new TokenError('invalid_grant', 'Refresh token is not valid or has expired.');
    }
  }

  /** The administrator's refresh token is spent as by its own grant; administrators are not stood in for. */
  #takeAsUser(form: Readonly<Record<string, unknown>>): string {
    const { userUid } = form;
    if (typeof userUid !== 'string') throw new TokenError('invalid_request', 'Parameter userUid is required.');
    this.#takeRefreshToken(form);
    const user = this.#users.find(({ instanceUid }) => instanceUid === userUid.toLowerCase());
    if (user === undefined || user.role === 'PortalAdministrator')
      throw new TokenError('invalid_grant', 'The user was not found, or no sufficient rights.');
    if (user.status !== 'Enabled') throw new TokenError('invalid_grant', 'The user is disabled.');
    return user.instanceUid;
  }

  #newTokens(asUser: string | null = null) {
    const accessToken = randomBytes(32).toString('base64url');
    const refreshToken = randomBytes(32).toString('base64url');
    this.#dropEnded();
    this.#accessEnds.set(accessToken, this.#nowMs() + this.#lifetimeMs);
    if (asUser !== null) this.#asUsers.set(accessToken, asUser);
    if (asUser === null) this.#refreshEnds.set(refreshToken, this.#nowMs() + refreshLifetimeMs);
    return {
      access_token: accessToken,
      token_type: 'bearer',
      refresh_token: asUser === null ? refreshToken : null,
      mfa_token: null,
      encrypted_code: null,
      expires_in: Math.floor(this.#lifetimeMs / 1000),
    };
  }

  #dropEnded(): void {
    for (const ends of [this.#accessEnds, this.#refreshEnds]) {
      for (const [token, endMs] of ends) if (endMs + 3_600_000 <= this.#nowMs()) ends.delete(token);
    }
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
