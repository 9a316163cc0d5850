import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../wire/json.ts';

/** What a pre-authenticated URL gives access to: one content, until an instant. */
export interface Ticket {
  driveId: string;
  itemId: string;
  /** Of a version; without it, the current content. */
  versionId?: string;
  expiresMs: number;
}

/** The ticket as text that cannot be made or changed without the secret. */
export function sealTicket(ticket: Ticket, secret: string): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${text}.${signatureOf(text, secret)}`;
}

/** The ticket of a sealed text; `undefined` for a forged or outlived one. */
export function openTicket(sealed: string, secret: string, nowMs: number): Ticket | undefined {
  const [text = '', signature = ''] = sealed.split('.');
  const expected = Buffer.from(signatureOf(text, secret));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (!isObject(value) || typeof value['expiresMs'] !== 'number' || value['expiresMs'] < nowMs) return undefined;
  const { driveId, itemId, versionId, expiresMs } = value;
  if (typeof driveId !== 'string' || typeof itemId !== 'string') return undefined;
  return { driveId, itemId, expiresMs, ...(typeof versionId === 'string' && { versionId }) };
}

const signatureOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');
