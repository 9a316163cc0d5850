import type { Settings } from '../foundation/settings.ts';

/** The address at which users open the portal. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return PUBLIC_URL || `http://${HOST === '127.0.0.1' ? 'localhost' : HOST}:${PORT}`;
}
