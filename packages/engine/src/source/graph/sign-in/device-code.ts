import { EngineError } from '../../../model/engine-error.ts';
import { accessTokenOf, type IdentityAddress, postForm, SignInError } from '../identity.ts';
import { numberOf, textOf } from '../json.ts';
import type { AccessToken } from './token.ts';

/** What a person needs to sign in on another screen. */
interface ShownCode {
  userCode: string;
  verificationUrl: string;
  /** What the vendor says to the person. */
  message: string;
  expiresAt: Date;
}

/** A device code as data: another process can go on with it. */
export interface GivenDeviceCode extends ShownCode {
  deviceCode: string;
  /** Between two looks. */
  intervalMs: number;
}

export type SignedIn = AccessToken & { refreshToken: string | null };

/** A device code that the same process waits for. */
export interface DeviceCode extends ShownCode {
  /** Waits until the person has signed in. @throws EngineError `credentials-refused` when it is declined or too late */
  signedIn(signal: AbortSignal): Promise<SignedIn>;
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
  const { deviceCode, intervalMs, ...shown } = await requestDeviceCode(address, clientId, scope, signal);
  return { ...shown, signedIn: (until) => poll(address, { clientId, deviceCode, intervalMs }, until) };
}

/** Requests a device code. @param scope as of `beginDeviceCode` */
export async function requestDeviceCode(
  address: IdentityAddress,
  clientId: string,
  scope: string,
  signal: AbortSignal,
): Promise<GivenDeviceCode> {
  const body = await postForm(address, 'devicecode', { client_id: clientId, scope }, signal);
  const [deviceCode, userCode, verificationUrl] = ['device_code', 'user_code', 'verification_uri'].map((name) =>
    textOf(body[name]),
  );
  if (deviceCode === undefined || userCode === undefined || verificationUrl === undefined)
    throw new EngineError('credentials-refused', 'The identity platform gave no device code. Try again.');
  return {
    deviceCode,
    intervalMs: (numberOf(body['interval']) ?? INTERVAL) * 1_000,
    userCode,
    verificationUrl,
    message: textOf(body['message']) ?? '',
    expiresAt: new Date(address.clock.now() + (numberOf(body['expires_in']) ?? 900) * 1_000),
  };
}

async function poll(
  address: IdentityAddress,
  code: { clientId: string; deviceCode: string; intervalMs: number },
  signal: AbortSignal,
): Promise<SignedIn> {
  for (let waitMs = code.intervalMs; ; ) {
    await address.clock.sleep(waitMs, signal);
    try {
      return await redeemDeviceCode(address, code, signal);
    } catch (error) {
      const oauthError = error instanceof SignInError ? error.oauthError : '';
      if (oauthError === 'slow_down') waitMs += INTERVAL * 1_000;
      else if (oauthError !== 'authorization_pending') throw error;
    }
  }
}

/**
 * Asks once whether the person has signed in.
 * @throws SignInError `authorization_pending`, `slow_down`, `authorization_declined`, `expired_token`, `bad_verification_code`
 */
export async function redeemDeviceCode(
  address: IdentityAddress,
  { clientId, deviceCode }: { clientId: string; deviceCode: string },
  signal: AbortSignal,
): Promise<SignedIn> {
  const body = await postForm(
    address,
    'token',
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: clientId, device_code: deviceCode },
    signal,
  );
  return { ...accessTokenOf(body, address.clock.now()), refreshToken: textOf(body['refresh_token']) ?? null };
}
