import { EngineError } from '../../../model/engine-error.ts';
import { accessTokenOf, type IdentityAddress, postForm, SignInError } from '../identity.ts';
import { numberOf, textOf } from '../json.ts';
import type { AccessToken } from './token.ts';

/** What a person needs to sign in on another screen. */
export interface DeviceCode {
  userCode: string;
  verificationUrl: string;
  /** What the vendor says to the person. */
  message: string;
  expiresAt: Date;
  /** Waits until the person has signed in. @throws EngineError `credentials-refused` when it is declined or too late */
  signedIn(signal: AbortSignal): Promise<AccessToken & { refreshToken: string | null }>;
}

/** Seconds between two looks where the platform names none, and what is added when it is asked too often (RFC 8628, 3.5). */
const INTERVAL = 5;

/**
 * Begins a sign-in by device code. https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code
 * @param scope such as `https://graph.microsoft.com/Mail.ReadWrite offline_access`
 */
export async function beginDeviceCode(
  address: IdentityAddress,
  clientId: string,
  scope: string,
  signal: AbortSignal,
): Promise<DeviceCode> {
  const body = await postForm(address, 'devicecode', { client_id: clientId, scope }, signal);
  const [deviceCode, userCode, verificationUrl] = ['device_code', 'user_code', 'verification_uri'].map((name) =>
    textOf(body[name]),
  );
  if (deviceCode === undefined || userCode === undefined || verificationUrl === undefined)
    throw new EngineError('credentials-refused', 'The identity platform gave no device code. Try again.');
  const intervalMs = (numberOf(body['interval']) ?? INTERVAL) * 1_000;
  return {
    userCode,
    verificationUrl,
    message: textOf(body['message']) ?? '',
    expiresAt: new Date(address.clock.now() + (numberOf(body['expires_in']) ?? 900) * 1_000),
    signedIn: (until) => poll(address, { clientId, deviceCode, intervalMs }, until),
  };
}

async function poll(
  address: IdentityAddress,
  code: { clientId: string; deviceCode: string; intervalMs: number },
  signal: AbortSignal,
) {
  const fields = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: code.clientId,
    device_code: code.deviceCode,
  };
  for (let waitMs = code.intervalMs; ; ) {
    await address.clock.sleep(waitMs, signal);
    try {
      const body = await postForm(address, 'token', fields, signal);
      return { ...accessTokenOf(body, address.clock.now()), refreshToken: textOf(body['refresh_token']) ?? null };
    } catch (error) {
      const oauthError = error instanceof SignInError ? error.oauthError : '';
      if (oauthError === 'slow_down') waitMs += INTERVAL * 1_000;
      else if (oauthError !== 'authorization_pending') throw error;
    }
  }
}
