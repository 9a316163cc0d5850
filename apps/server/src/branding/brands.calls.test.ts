import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { getBranding } from '@keepwatch/contract/branding/branding';
import {
  type Brand,
  type BrandSettings,
  editBrand,
  getBrandImage,
  listBrands,
  removeBrandImage,
  removeChatSecret,
  setChatSecret,
  storeBrandImage,
} from '@keepwatch/contract/branding/brands';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let owner: Caller;
let other: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.as(['super-admin', 'admin']);
  other = await portal.as('super-admin', { providerId: 2 });
});
afterAll(() => portal.stop());

/** 320 × 64 pixels, as far as its header says. */
const PNG = Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x40\0\0\0\x40\x08\x06\0\0\0`, 'latin1');

const contentOf = (content: Buffer | string) => ({ content: Buffer.from(content).toString('base64') });

async function brandOf(caller: Caller, id: number): Promise<Brand> {
  const { data } = await caller.call(listBrands, {});
  const brand = data.find((found) => found.id === id);
  if (brand === undefined) throw new Error(`There is no brand ${id}.`);
  return brand;
}

async function settingsOf(caller: Caller, id: number, changes: Partial<BrandSettings> = {}): Promise<BrandSettings> {
  const { id: _id, logo: _logo, icon: _icon, hasChatSecret: _secret, ...settings } = await brandOf(caller, id);
  return { ...settings, ...changes };
}

async function refusalOf(caller: Caller, id: number, changes: Partial<BrandSettings>) {
  const response = await caller.send(editBrand, { params: { id }, body: await settingsOf(owner, id, changes) });
  const { message, errors = [] } = await response.json();
  return { status: response.status, message, paths: errors.map(({ path }: { path: string }) => path) };
}

describe('the brands', () => {
  it('200: are all brands for who runs the installation, and its own for another provider', async () => {
    const all = await owner.call(listBrands, {});
    expect(all.data.map(({ id }) => id)).toEqual([1, 2]);
    expect(all.canSetDomain).toBe(true);
    const own = await other.call(listBrands, {});
    expect(own.data.map(({ id }) => id)).toEqual([2]);
    expect(own.canSetDomain).toBe(false);
  });

  it('403: are not for users who are limited to companies', async () => {
    const limited = await portal.as('super-admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(listBrands, {})).status).toBe(403);
  });

  it('200: what was read can be saved as it is, and shows what it showed', async () => {
    const shown = await portal.anonymous.call(getBranding, {});
    await owner.call(editBrand, { params: { id: 1 }, body: await settingsOf(owner, 1) });
    const again = await portal.anonymous.call(getBranding, {});
    expect(again.data).toMatchObject(shown.data);
  });
});

describe('a changed brand', () => {
  it('200: is what people see at its host, in its colour, and is in the users logs with before and after', async () => {
    const changes = {
      ...{ name: 'Acme Backup', title: 'Acme', domain: 'Portal.ACME.example', accent: '#1A5FB4' },
      ...{ supportEmail: 'help@acme.example', linkedin: 'https://linkedin.example/acme', hasSocialMedia: true },
      ...{ hasSupportSection: true, hasFaq: true, faqUrl: 'https://acme.example/faq', hasTeams: false },
      ...{ layout: 'vmo', isStripeEnabled: true },
      serviceLevels: { free: '', basic: 'Silver', advanced: '', businessCritical: 'Gold', licenseStorage: '', ACH: '' },
      restoreUrl: 'https://restore.acme.example/',
    } satisfies Partial<BrandSettings>;
    const { data } = await owner.call(editBrand, { params: { id: 2 }, body: await settingsOf(owner, 2, changes) });
    expect(data).toMatchObject({ ...changes, domain: 'portal.acme.example', accent: '#1a5fb4' });
    const shown = (await portal.anonymous.call(getBranding, { query: { domain: 'portal.acme.example' } })).data;
    expect(shown).toMatchObject({ id: 2, name: 'Acme Backup', title: 'Acme', layout: 'vmo', supportPhone: null });
    expect(shown.isStripeEnabled).toBe(true);
    expect(shown.features.office365?.selfRegistration.serviceLevels).toEqual([
      { id: 'basic', label: 'Silver' },
      { id: 'businessCritical', label: 'Gold' },
    ]);
    expect(shown.accentShades[7]).toBe('#1a5fb4');
    expect(shown.features).toMatchObject({
      socialMedia: { settings: { links: [{ platform: 'linkedin', link: changes.linkedin }] } },
      supportSection: { links: { faq: { enabled: true, url: changes.faqUrl } } },
      office365: { restoreUrl: changes.restoreUrl, restorePortal: { outlook: true, teams: false } },
    });
    const logs = await owner.call(listUserLogs, { query: { actions: ['brand.edit'] } });
    expect(logs.data).toContainEqual(
      expect.objectContaining({
        targetKind: 'brand',
        targetName: 'Acme Backup',
        before: expect.objectContaining({ name: 'Provider 2', layout: 'keepwatch' }),
        after: expect.objectContaining({ name: 'Acme Backup', layout: 'vmo' }),
      }),
    );
  });

  it('200: has nothing any more of what is left out', async () => {
    const body = await settingsOf(owner, 1, { supportEmail: 'help@acme.example', accent: '#1a5fb4' });
    await owner.call(editBrand, { params: { id: 1 }, body });
    const { supportEmail: _, accent: __, ...without } = body;
    const { data } = await owner.call(editBrand, { params: { id: 1 }, body: without });
    expect([data.supportEmail, data.accent]).toEqual([undefined, undefined]);
    expect((await portal.anonymous.call(getBranding, {})).data.supportEmail).toBeNull();
  });

  it('422: cannot have the host name of another brand, which the refusal names', async () => {
    expect(await refusalOf(owner, 2, { domain: 'LOCALHOST' })).toEqual({
      status: 422,
      message: expect.stringContaining('localhost is the host name of the brand Provider 1. Choose another.'),
      paths: ['body.domain'],
    });
  });

  it('422: gets another host name only from who runs the installation: it could take the portal’s own', async () => {
    const refusal = await refusalOf(other, 2, { domain: 'portal.test' });
    expect(refusal).toMatchObject({ status: 422, paths: ['body.domain'] });
    expect(refusal.message).toContain('Only administrators of this installation can change the host name.');
    const body = await settingsOf(other, 2, { name: 'Renamed' });
    expect((await other.call(editBrand, { params: { id: 2 }, body })).data.name).toBe('Renamed');
  });

  it.each([
    ['faqUrl', 'http://acme.example/faq'],
    ['faqUrl', 'javascript:alert(1)'],
    ['twitter', 'https://user:secret@acme.example/'],
    ['domain', 'acme.example:8080'],
    ['domain', 'аcme.example'],
    ['domain', '-acme.example'],
    ['accent', 'red;background:url(//evil)'],
    ['supportEmail', 'help@acme.example\r\nBcc: all@acme.example'],
    ['supportPhone', 'call us'],
  ])('422: refuses %s "%s"', async (field, value) => {
    const refusal = await refusalOf(owner, 1, { [field]: value });
    expect(refusal).toMatchObject({ status: 422, paths: expect.arrayContaining([`body.${field}`]) });
  });

  it('422: has the address of its FAQ where it has one', async () => {
    expect(await refusalOf(owner, 1, { hasFaq: true })).toMatchObject({ status: 422, paths: ['body.faqUrl'] });
  });

  it('404: is none that the provider does not look after, or that is not there', async () => {
    const body = await settingsOf(owner, 1);
    expect((await other.send(editBrand, { params: { id: 1 }, body })).status).toBe(404);
    expect((await owner.send(editBrand, { params: { id: 77 }, body })).status).toBe(404);
  });
});

describe('an image of a brand', () => {
  const params = { id: 1, kind: 'logo' } as const;

  it('200: is got by everybody, for ever, as what it is, and is as large as its room on the page', async () => {
    const { data } = await owner.call(storeBrandImage, { params, body: contentOf(PNG) });
    expect(data.logo).toMatchObject({ width: 320, height: 64 });
    const shown = (await portal.anonymous.call(getBranding, {})).data;
    expect([shown.sidebarLogoWidth, shown.sidebarLogoHeight]).toEqual([140, 28]);
    const image = await portal.anonymous.raw('GET', shown.sidebarLogoUrl ?? '');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it('200: takes the place of the one before, and is in the users logs without its bytes', async () => {
    const first = (await owner.call(storeBrandImage, { params, body: contentOf(PNG) })).data.logo;
    const second = (await owner.call(storeBrandImage, { params, body: contentOf('GIF89a\x10\0\x10\0') })).data.logo;
    expect((await portal.anonymous.raw('GET', first?.url ?? '')).status).toBe(404);
    expect((await portal.anonymous.raw('GET', second?.url ?? '')).headers.get('content-type')).toBe('image/gif');
    const logs = await owner.call(listUserLogs, { query: { actions: ['brand.store-image'], sort: '-at' } });
    const png = { type: 'image/png', width: 320, height: 64, bytes: PNG.length };
    expect(logs.data.map(({ before, after }) => ({ before, after }))).toContainEqual({
      before: { logo: png },
      after: { logo: { type: 'image/gif', width: 16, height: 16, bytes: 10 } },
    });
  });

  it('200: is gone after it was removed; the other stays, and so does what else the brand has', async () => {
    await owner.call(storeBrandImage, { params, body: contentOf(PNG) });
    await owner.call(storeBrandImage, { params: { id: 1, kind: 'icon' }, body: contentOf(PNG) });
    await owner.call(editBrand, { params: { id: 1 }, body: await settingsOf(owner, 1, { title: 'Acme' }) });
    const { data } = await owner.call(removeBrandImage, { params });
    expect([data.logo, data.icon?.width, data.title]).toEqual([null, 320, 'Acme']);
    const shown = (await portal.anonymous.call(getBranding, {})).data;
    expect([shown.sidebarLogoUrl, shown.favIconUrl]).toEqual([null, data.icon?.url]);
  });

  it.each([
    ['an SVG', '<?xml version="1.0"?><svg onload="alert(1)"/>', 'An SVG file may contain programs'],
    ['a page', '<!doctype html><script>alert(1)</script>', 'The file is not a PNG, JPEG, WebP or GIF image.'],
    ['more pixels than a logo has', 'GIF89a\xff\x7f\x10\0', 'at most 4096 a side'],
    ['too many bytes', 'x'.repeat(200_001), 'at most 200000 are accepted'],
  ])('422: is not %s', async (_what, content, text) => {
    const body = contentOf(Buffer.from(content, 'latin1'));
    const response = await owner.send(storeBrandImage, { params, body });
    expect(response.status).toBe(422);
    expect((await response.json()).message).toContain(text);
  });

  it('404: is of a brand that the provider looks after, and of one that is there', async () => {
    for (const [caller, id] of [
      [other, 1],
      [owner, 77],
    ] as const) {
      const given = { params: { id, kind: 'logo' } } as const;
      expect((await caller.send(storeBrandImage, { ...given, body: contentOf(PNG) })).status).toBe(404);
      expect((await caller.send(removeBrandImage, given)).status).toBe(404);
    }
    const missing = { params: { id: '00000000-0000-4000-8000-000000000001' } };
    expect((await portal.anonymous.send(getBrandImage, missing)).status).toBe(404);
  });
});

describe('the secret of the live chat', () => {
  const secret = 'a secret of at least thirty-two characters';
  const stored = () =>
    rows<{ sealed: Buffer | null }>(portal.database, sql`select chat_secret as sealed from providers where id = 2`);

  it('200: is stored sealed, is in no reply and in no entry of the log, and is removed', async () => {
    const params = { id: 2 };
    const set = await other.call(setChatSecret, { params, body: { secret } });
    expect(set.data.hasChatSecret).toBe(true);
    const [row] = await stored();
    expect(row?.sealed?.length).toBeGreaterThan(0);
    expect(row?.sealed?.includes(secret)).toBe(false);
    const logs = await other.call(listUserLogs, { query: {} });
    expect(logs.data.map(({ action }) => action)).toContain('brand.set-chat-secret');
    expect(JSON.stringify([set, logs])).not.toContain(secret);
    const removed = await other.call(removeChatSecret, { params });
    expect([removed.data.hasChatSecret, await stored()]).toEqual([false, [{ sealed: null }]]);
  });

  it('404: is not set or removed for the brand of another provider', async () => {
    const params = { id: 1 };
    expect((await other.send(setChatSecret, { params, body: { secret } })).status).toBe(404);
    expect((await other.send(removeChatSecret, { params })).status).toBe(404);
  });

  it('422: is not a short one', async () => {
    const short = await other.send(setChatSecret, { params: { id: 2 }, body: { secret: 'short' } });
    expect(short.status).toBe(422);
  });
});
