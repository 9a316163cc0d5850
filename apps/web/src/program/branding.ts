import type { Branding, getBranding } from '@keepwatch/contract/branding/branding';
import { type Endpoint, request, type Transport } from '@keepwatch/contract/wire/client';

const BRANDING: Endpoint<typeof getBranding> = {
  method: 'GET',
  path: '/branding',
  failure: 'The portal could not be started, try again later.',
};

/** The brand of this host. Its address is the one that index.html begins to load before any code is there. */
export async function fetchBranding(transport: Transport): Promise<Branding> {
  const { data } = await request<typeof getBranding>({ ...transport, token: () => null }, BRANDING, {});
  return data;
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
