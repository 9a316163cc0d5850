import * as z from 'zod/mini';
import { text } from '../wire/fields.ts';

/** Bytes as browsers give them. */
const base64url = (max: number) => z.string().check(z.maxLength(max), z.regex(/^[\w-]+$/, 'must be base64url'));

const credentialId = base64url(1_400);
const transports = z.array(text(20)).check(z.maxLength(10));

/** What a browser is asked to prove with a passkey: the fields of WebAuthn. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  userVerification: z.enum(['required', 'preferred']),
  /** Empty: any passkey of the portal. */
  allowCredentials: z.array(
    z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }),
  ),
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** What it answers. */
export const passkeyProof = z.strictObject({
  credentialId,
  clientDataJSON: base64url(4_000),
  authenticatorData: base64url(4_000),
  signature: base64url(2_000),
});
export type PasskeyProof = z.infer<typeof passkeyProof>;

/** What a browser is asked to make a passkey from. */
export const newPasskeyRequest = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  excludeCredentials: passkeyRequest.shape.allowCredentials,
  authenticatorSelection: z.object({ residentKey: z.literal('preferred'), userVerification: z.literal('preferred') }),
  attestation: z.literal('none'),
});
export type NewPasskeyRequest = z.infer<typeof newPasskeyRequest>;

export const newPasskeyProof = z.strictObject({
  credentialId,
  clientDataJSON: base64url(4_000),
  attestationObject: base64url(12_000),
  transports,
});
export type NewPasskeyProof = z.infer<typeof newPasskeyProof>;
