import type { X509Certificate } from 'node:crypto';
import { TransportError } from './transport-error.ts';

/**
 * Reads a certificate's thumbprint as people copy it from a browser or a console: hex, any case, with or without colons
 * and blanks. Returns upper-case hex, 40 digits (SHA-1) or 64 (SHA-256), or `null` when it is neither.
 */
export function parseThumbprint(text: string): string | null {
  // The Windows certificate window puts an invisible U+200E before the first digit when it is copied.
  const hex = text.replace(/[\s:\u200e]/g, '').toUpperCase();
  return /^(?:[0-9A-F]{40}|[0-9A-F]{64})$/.test(hex) ? hex : null;
}

/** Why `certificate` is not the one with `thumbprint` (as `parseThumbprint` returns it), or `null` when it is. */
export function thumbprintRefusal(
  certificate: X509Certificate | undefined,
  thumbprint: string,
  host: string,
): TransportError | null {
  const fingerprint = thumbprint.length === 40 ? certificate?.fingerprint : certificate?.fingerprint256;
  const found = fingerprint ? parseThumbprint(fingerprint) : null;
  if (found === thumbprint) return null;
  const text = `${host} shows a certificate with the thumbprint ${found ?? '(none)'}, the settings say ${thumbprint}`;
  return new TransportError(
    'not-reachable',
    `${text}; enter the new one only if you know the certificate was changed`,
    {
      isTransient: false,
    },
  );
}
