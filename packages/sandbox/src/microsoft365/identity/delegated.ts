import { createHash } from 'node:crypto';
import { OAuthError } from './oauth-error.ts';

export interface SignIn {
  tenantId: string;
  clientId: string;
  userId: string;
  scope: string;
}

const lifetimeMs = 90 * 86_400_000;

/** Refresh tokens that are out: each is good for 90 days, and more than once, as at the vendor. */
export class RefreshTokens {
  private readonly tokens = new Map<string, SignIn & { expiresMs: number }>();
  private readonly nowMs: () => number;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  issue(signIn: SignIn): string {
    const token = `0.A${createHash('sha256')
      .update(`${JSON.stringify(signIn)}${this.tokens.size}`)
      .digest('base64url')}`;
    this.tokens.set(token, { ...signIn, expiresMs: this.nowMs() + lifetimeMs });
    return token;
  }

  /** @throws OAuthError for an unknown token, another application's, or one too old */
  redeem(token: string, clientId: string): SignIn {
    const signIn = this.tokens.get(token);
    if (!signIn || signIn.clientId !== clientId) {
      throw new OAuthError('invalid_grant', 9002313, 'Invalid request. The refresh token is malformed or not valid.');
    }
    if (signIn.expiresMs <= this.nowMs()) {
      throw new OAuthError('invalid_grant', 700082, 'The refresh token has expired due to inactivity.');
    }
    return signIn;
  }

  revokeAll(): void {
    this.tokens.clear();
  }
}
