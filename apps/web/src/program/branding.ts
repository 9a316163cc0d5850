import type { Branding, getBranding } from '@keepwatch/contract/branding/branding';
import { CallFailed, type Endpoint, request, type Transport } from '@keepwatch/contract/wire/client';

const BRANDING: Endpoint<typeof getBranding> = {
  method: 'GET',
  path: '/branding',
  failure: 'The portal could not be started, try again later.',
};

/** How long each attempt waits for the brand, in milliseconds: a request that the network has lost gets no answer. */
const ATTEMPTS_MS = [8_000, 30_000] as const;

/**
 * The brand of this host. Its address is the one that index.html begins to load before any code is there. Without it there is
 * nothing to show, so it is asked for a second time, and then its absence is said: the page must not stay empty. Throws
 * `CallFailed`.
 */
export async function fetchBranding(
  transport: Transport,
  attemptsMs: readonly number[] = ATTEMPTS_MS,
): Promise<Branding> {
  for (const limitMs of attemptsMs) {
    const limit = AbortSignal.timeout(limitMs);
    try {
      const { data } = await request<typeof getBranding>({ ...transport, token: () => null }, BRANDING, {}, limit);
      return data;
    } catch (error) {
      if (!limit.aborted) throw error;
    }
  }
  const message = 'The portal did not answer in time. Check your connection and try again.';
  throw new CallFailed(0, { success: false, code: 'NO_CONNECTION', message });
}

/** Makes the page the brand's: icon, layout. The title is the page's own work. */
export function applyBranding(branding: Branding, page: Document): void {
  page.documentElement.dataset['brand'] = branding.layout;
  if (branding.favIconUrl === null) return;
  page.querySelector('link[rel="icon"]')?.remove();
  const icon = page.createElement('link');
  icon.rel = 'icon';
  icon.href = branding.favIconUrl;
  page.head.append(icon);
}
