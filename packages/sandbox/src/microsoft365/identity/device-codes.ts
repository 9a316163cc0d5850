import { createHash } from 'node:crypto';
import { OAuthError } from './oauth-error.ts';

interface DeviceCode {
  tenantId: string;
  clientId: string;
  scope: string;
  userCode: string;
  expiresMs: number;
  polledMs: number | undefined;
  outcome: { kind: 'pending' } | { kind: 'declined' } | { kind: 'approved'; userId: string };
}

/** Lifetime of a device code, and the time a program waits between two polls, in seconds. */
export const deviceCodeLifetime = 900;
export const deviceCodeInterval = 5;

/** Sign-ins by device code that wait for a person. */
export class DeviceCodes {
  private readonly codes = new Map<string, DeviceCode>();
  private readonly nowMs: () => number;
  private count = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  start(tenantId: string, clientId: string, scope: string): { deviceCode: string; userCode: string } {
    this.count += 1;
    const hash = createHash('sha256').update(`${clientId} ${this.count}`).digest();
    const deviceCode = `${hash.toString('base64url')}${this.count}`;
    // No vowels and no characters that are easily confused, as at the vendor.
    const signs = 'BCDFGHJKLMNPQRSTVWXZ23456789';
    const userCode = [...hash.subarray(0, 9)].map((byte) => signs[byte % signs.length]).join('');
    const expiresMs = this.nowMs() + deviceCodeLifetime * 1000;
    const outcome = { kind: 'pending' } as const;
    this.codes.set(deviceCode, { tenantId, clientId, scope, userCode, expiresMs, polledMs: undefined, outcome });
    return { deviceCode, userCode };
  }

  /** Answers a code as a person does: signs in as a user, or declines. `false` for an unknown code. */
  settle(userCode: string, userId: string | undefined): boolean {
    const code = this.codes.values().find((one) => one.userCode === userCode.toUpperCase());
    if (!code || code.expiresMs <= this.nowMs()) return false;
    code.outcome = userId === undefined ? { kind: 'declined' } : { kind: 'approved', userId };
    return true;
  }

  /**
   * Who has signed in; a code is good once.
   * @throws OAuthError while no user has signed in, and for a code that is wrong, old, declined or asked for too often
   */
  redeem(deviceCode: string, clientId: string): { tenantId: string; userId: string; scope: string } {
    const code = this.codes.get(deviceCode);
    if (!code || code.clientId !== clientId) {
      throw new OAuthError('bad_verification_code', 70000, 'The device code is unknown or was used already.');
    }
    const nowMs = this.nowMs();
    if (code.expiresMs <= nowMs) throw new OAuthError('expired_token', 70020, 'The device code has expired.');
    const { outcome } = code;
    if (outcome.kind === 'declined') {
      throw new OAuthError('authorization_declined', 70018, 'The user has declined the request.');
    }
    if (outcome.kind === 'pending') {
      const isTooSoon = code.polledMs !== undefined && nowMs - code.polledMs < deviceCodeInterval * 1000;
      code.polledMs = nowMs;
      if (isTooSoon) throw new OAuthError('slow_down', 70027, 'The program asks more often than the interval allows.');
      throw new OAuthError('authorization_pending', 70016, 'The user has not signed in yet.');
    }
    this.codes.delete(deviceCode);
    return { tenantId: code.tenantId, userId: outcome.userId, scope: code.scope };
  }
}
