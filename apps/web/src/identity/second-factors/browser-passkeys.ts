import type {
  NewPasskeyProof,
  NewPasskeyRequest,
  PasskeyProof,
  PasskeyRequest,
} from '@keepwatch/contract/identity/passkey-fields';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { passkeyNotUsed } from '../../kit/api.ts';

/** Has the browser make a passkey. Throws `CallFailed` where it made none: the person said no, or the device cannot. */
export async function makePasskey(request: NewPasskeyRequest): Promise<NewPasskeyProof> {
  const { id, response } = await refusedAs('No passkey was made. Try again, or use another device.', () =>
    startRegistration({ optionsJSON: { ...request, excludeCredentials: known(request.excludeCredentials) } }),
  );
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { credentialId: id, clientDataJSON, attestationObject, transports };
}

/** Has the browser prove one. Throws `CallFailed` where it proved none. */
export async function provePasskey(request: PasskeyRequest): Promise<PasskeyProof> {
  const { id, response } = await refusedAs('No passkey was used. Try again, or log in with your password.', () =>
    startAuthentication({ optionsJSON: { ...request, allowCredentials: known(request.allowCredentials) } }),
  );
  const { clientDataJSON, authenticatorData, signature } = response;
  return { credentialId: id, clientDataJSON, authenticatorData, signature };
}

/** Without the ways to reach a device that the library does not know: newer browsers have others. */
function known(credentials: PasskeyRequest['allowCredentials']) {
  return credentials.map(({ id, type, transports }) => ({ id, type, transports: transports.filter(isTransport) }));
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

function isTransport(text: string): text is (typeof TRANSPORTS)[number] {
  return TRANSPORTS.some((transport) => transport === text);
}

async function refusedAs<T>(message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw passkeyNotUsed(message, cause);
  }
}
