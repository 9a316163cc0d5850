import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { contentPolicy, type OutsideAddresses } from './content-policy.ts';
import { heldBrands } from './held-brands.ts';

const YEAR_S = 31_536_000;

/** What the page has of a brand before any code of it runs. */
export interface PageBrand {
  title: string;
  layout: string;
  favIconUrl: string | null;
  /** Addresses outside of the portal that its pages may load, as the brand has them; none unless given. */
  outside?: OutsideAddresses;
}

/**
 * Serves the built browser application: browsers cache hashed assets for a year and ask for the page itself every time.
 * Every address that is no call and no file is answered with the page, which shows its own 404; so is the name of a file that is not there where a
 * person opens it. It is the brand's from its first byte, so that no other name flashes in a tab.
 * @param brandOf the brand of a host name; a page without brand is made one by its code
 */
export async function addPages(
  server: FastifyInstance,
  folder: string,
  brandOf: (host: string) => Promise<PageBrand | null>,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const heldBrandOf = heldBrands(brandOf);
  await server.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    },
  });
  server.get('/*', { config: { rateLimit: false } }, async (request, reply) => {
    const isFile = /\.\w+$/.test(request.url.split('?')[0] ?? '') && !request.headers.accept?.includes('text/html');
    if (isFile || request.url.startsWith('/api/')) return reply.callNotFound();
    const brand = await heldBrandOf(request.hostname).catch((error: unknown) => {
      // The page says itself that the portal does not answer, and asks again.
      request.log.warn({ err: error }, 'the brand of a page could not be read');
      return null;
    });
    const html = brand === null ? page : branded(page, brand);
    if (brand?.outside !== undefined) reply.header('content-security-policy', contentPolicy(brand.outside));
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
  });
}

/** Replaces what `apps/web/index.html` has in place of a brand. */
function branded(page: string, { title, layout, favIconUrl }: PageBrand): string {
  const named = page
    .replace('<html lang="en">', () => `<html lang="en" data-brand="${escaped(layout)}">`)
    .replace('<title>Portal</title>', () => `<title>${escaped(title)}</title>`);
  if (favIconUrl === null) return named;
  return named.replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${escaped(favIconUrl)}" />`);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
