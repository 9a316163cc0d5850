import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  NewPasskeyProof,
  NewPasskeyRequest,
  PasskeyProof,
  PasskeyRequest,
} from '@keepwatch/contract/identity/passkey-fields';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What a test does otherwise than a browser would. */
interface Otherwise {
  origin?: string;
  rpId?: string;
  /** Whether the device made sure who uses it. */
  isVerified?: boolean;
  /** How often the key has signed. */
  count?: number;
}

/** A key as a browser and its device have it, with the formats of WebAuthn. */
export function softwareAuthenticator(origin = 'https://portal.test') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
  let signatures = 0;
  return {
    register(request: NewPasskeyRequest, otherwise: Otherwise = {}): NewPasskeyProof {
      const head = dataOf(otherwise.rpId ?? request.rp.id, 0x40, { count: 0, ...otherwise });
      const length = Buffer.from([0, id.length]);
      const authData = new Uint8Array(Buffer.concat([head, Buffer.alloc(16), length, id, coseKey]));
      const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData],
      ]);
      return {
        credentialId: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', request.challenge, otherwise.origin ?? origin),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
        transports: ['internal'],
      };
    },

    prove({ challenge, rpId }: PasskeyRequest, otherwise: Otherwise = {}): PasskeyProof {
      signatures += 1;
      const authenticatorData = dataOf(otherwise.rpId ?? rpId, 0, { count: signatures, ...otherwise });
      const clientDataJSON = clientData('webauthn.get', challenge, otherwise.origin ?? origin);
      const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
      const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), privateKey);
      return {
        credentialId: id.toString('base64url'),
        clientDataJSON,
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

function dataOf(rpId: string, flags: number, { isVerified = true, count = 0 }: Otherwise): Buffer {
  const present = 0x01 | (isVerified ? 0x04 : 0);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(count);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags | present]), counter]);
}
