import * as z from 'zod/mini';
import { ROLES } from '../abilities.ts';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { colour, emailAddress, hostName, httpsAddress, id, nameText, text, wholeNumber } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { LAYOUTS } from './branding.ts';

/** Brands as those who look after them see and change them. */

/** Largest file of a logo or an icon, in bytes. */
export const IMAGE_BYTES_MAX = 200_000;
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export const IMAGE_KINDS = ['logo', 'icon'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];
const BASE64_LENGTH_MAX = Math.ceil(IMAGE_BYTES_MAX / 3) * 4;

/** Who can be named among those who see the reports. */
export const REPORTING_ROLES = ['all', ...ROLES] as const;

/** What a service level is called where people register themselves; empty: it is not offered. */
const levelLabel = text(60).check(z.overwrite((label) => label.trim()));
const serviceLevels = z.strictObject({
  free: levelLabel,
  basic: levelLabel,
  advanced: levelLabel,
  businessCritical: levelLabel,
  licenseStorage: levelLabel,
  ACH: levelLabel,
});

/** What can be set of a brand. What is left out it does not have. */
const settings = {
  name: nameText(100),
  domain: hostName,
  title: nameText(100),
  sidebarTitle: nameText(60),
  layout: z.enum(LAYOUTS),
  /** Over that of the layout. */
  accent: z.optional(colour),
  supportEmail: z.optional(emailAddress),
  supportPhone: z.optional(text(50).check(z.regex(/^[+(]?\d[\d ()./x-]+$/, 'must be a phone number'))),
  /** A program of another host that measures how the portal is used; nothing of it is loaded before a user agrees. */
  trackingUrl: z.optional(httpsAddress),
  /** Whether people sign in with the Active Directory that is connected. */
  signsInByDirectory: z.boolean(),
  hasFooter: z.boolean(),
  hasSocialMedia: z.boolean(),
  twitter: z.optional(httpsAddress),
  facebook: z.optional(httpsAddress),
  youtube: z.optional(httpsAddress),
  linkedin: z.optional(httpsAddress),
  hasRules: z.boolean(),
  hasHints: z.boolean(),
  hasReporting: z.boolean(),
  reportingVisibleFor: z.array(z.enum(REPORTING_ROLES)).check(z.maxLength(REPORTING_ROLES.length)),
  hasInvoiceAutomation: z.boolean(),
  collectsCards: z.boolean(),
  isStripeEnabled: z.boolean(),
  hasSupportSection: z.boolean(),
  hasRequest: z.boolean(),
  requestUrl: z.optional(httpsAddress),
  hasLive: z.boolean(),
  liveUrl: z.optional(httpsAddress),
  hasDownloads: z.boolean(),
  downloadsUrl: z.optional(httpsAddress),
  hasFaq: z.boolean(),
  faqUrl: z.optional(httpsAddress),
  termsOfUse: z.optional(httpsAddress),
  serviceLevels,
  restoreUrl: z.optional(httpsAddress),
  hasOutlook: z.boolean(),
  hasOneDrive: z.boolean(),
  hasSharePoint: z.boolean(),
  hasTeams: z.boolean(),
};

const brandSettings = z.strictObject(settings).check(
  z.refine(({ hasFaq, faqUrl }) => !hasFaq || faqUrl !== undefined, {
    path: ['faqUrl'],
    error: 'Enter the address of the FAQ, or switch it off.',
  }),
);
export type BrandSettings = z.infer<typeof brandSettings>;

/** An image of a brand with its size in pixels. */
const brandImage = z.object({ url: z.string(), width: z.int(), height: z.int() });

export const brand = entity(
  'Brand',
  z.object({
    id: z.int(),
    ...settings,
    logo: z.nullable(brandImage),
    icon: z.nullable(brandImage),
    /** Whether the chat can check who its users are. */
    hasChatSecret: z.boolean(),
  }),
);
export type Brand = z.infer<typeof brand>;

const access = 'admin.brands' as const;
const brandId = wholeNumber(1, 2 ** 31 - 1);
const imageOfBrand = z.strictObject({ id: brandId, kind: z.enum(IMAGE_KINDS) });

export const listBrands = declareCall({
  method: 'GET',
  path: '/admin/brands',
  access,
  ...itemOf(z.array(brand), { canSetDomain: z.boolean() }),
  failure: 'The brands could not be read, try again later.',
  summary: 'The brands of the installation; for those who look after one brand, that one.',
});

export const editBrand = declareCall({
  method: 'PUT',
  path: '/admin/brands/{id}',
  access,
  needs: 'session',
  audit: 'brand.edit',
  params: z.strictObject({ id: brandId }),
  body: brandSettings,
  ...itemOf(brand),
  failure: 'The brand could not be saved, try again later.',
  summary: 'Sets everything of a brand but its images.',
});

export const storeBrandImage = declareCall({
  method: 'PUT',
  path: '/admin/brands/{id}/images/{kind}',
  access,
  needs: 'session',
  audit: 'brand.store-image',
  params: imageOfBrand,
  bodyBytesMax: BASE64_LENGTH_MAX + 1_000,
  body: z.strictObject({
    /** The file in base64. */
    content: text(BASE64_LENGTH_MAX).check(
      z.minLength(1),
      z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be a file in base64'),
    ),
  }),
  ...itemOf(brand),
  failure: 'The image could not be saved, try again later.',
  summary: 'Sets the logo or the icon of a brand: PNG, JPEG, WebP or GIF.',
});

export const removeBrandImage = declareCall({
  method: 'DELETE',
  path: '/admin/brands/{id}/images/{kind}',
  access,
  needs: 'session',
  audit: 'brand.remove-image',
  params: imageOfBrand,
  ...itemOf(brand),
  failure: 'The image could not be removed, try again later.',
  summary: 'Removes the logo or the icon of a brand.',
});

export const setChatSecret = declareCall({
  method: 'PUT',
  path: '/admin/brands/{id}/chat-secret',
  access,
  needs: 'session',
  audit: 'brand.set-chat-secret',
  params: z.strictObject({ id: brandId }),
  body: z.strictObject({
    /** At least as long as what it signs with (RFC 7518, part 3.2): a short one could be guessed from a token. */
    secret: text(500).check(z.minLength(32, 'must have at least 32 characters')),
  }),
  ...itemOf(brand),
  failure: 'The secret of the chat could not be saved, try again later.',
  summary:
    'Sets the secret that the chat of a brand checks identity tokens with. It is stored encrypted and never shown.',
});

export const removeChatSecret = declareCall({
  method: 'DELETE',
  path: '/admin/brands/{id}/chat-secret',
  access,
  needs: 'session',
  audit: 'brand.remove-chat-secret',
  params: z.strictObject({ id: brandId }),
  ...itemOf(brand),
  failure: 'The secret of the chat could not be removed, try again later.',
  summary: 'Removes the secret of the chat of a brand: no identity tokens are made for it any more.',
});

export const getBrandImage = declareCall({
  method: 'GET',
  path: '/branding/images/{id}',
  access: 'public',
  params: z.strictObject({ id }),
  reply: file({ types: IMAGE_TYPES }),
  failure: 'The image could not be read, try again later.',
  summary: 'A logo or an icon; its address changes with every upload.',
});
