import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, text, webAddress } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

export const LAYOUTS = ['vmo', 'hunter-tech', 'different-dev', 'keepwatch', 'managecast'] as const;

/** In which people may register themselves for Microsoft 365. */
export const SERVICE_LEVELS = ['free', 'basic', 'advanced', 'businessCritical', 'licenseStorage', 'ACH'] as const;

const link = z.object({ enabled: z.boolean(), url: z.optional(z.string()) });

/** What a provider's portal looks like and which parts it has. Fetched before the application starts. */
export const branding = entity(
  'Branding',
  z.object({
    id: z.int(),
    name: z.string(),
    domain: z.string(),
    title: z.string(),
    layout: z.enum(LAYOUTS),
    /** Of the brand's accent, light to dark: ten. */
    accentShades: z.array(z.string()),
    favIconUrl: z.nullable(z.string()),
    sidebarLogoUrl: z.nullable(z.string()),
    sidebarLogoWidth: z.nullable(z.int()),
    sidebarLogoHeight: z.nullable(z.int()),
    sidebarTitle: z.string(),
    supportEmail: z.nullable(z.string()),
    supportPhone: z.nullable(z.string()),
    /** A program of another host that measures how the portal is used, loaded for users who agreed; null: there is none. */
    trackingUrl: z.nullable(z.string()),
    authType: z.enum(['ad', 'db']),
    /** Other systems through which its users sign in: what their buttons say. */
    identityProviders: z.array(z.object({ id, name: z.string() })),
    /** Whether users sign in with a password, beside or without these. */
    hasPasswords: z.boolean(),
    isStripeEnabled: z.boolean(),
    features: z.object({
      rules: z.boolean(),
      hints: z.boolean(),
      reporting: z.object({ enabled: z.boolean(), visibleFor: z.array(z.string()) }),
      supportSection: z.object({
        enabled: z.boolean(),
        links: z.object({ request: link, live: link, downloads: link, faq: link }),
      }),
      footer: z.boolean(),
      socialMedia: z.object({
        enabled: z.boolean(),
        settings: z.object({ links: z.array(z.object({ platform: z.string(), link: z.string() })) }),
      }),
      invoice_automation: z.boolean(),
      billing: z.object({ ccCollection: z.boolean() }),
      office365: z.optional(
        z.object({
          selfRegistration: z.object({
            /** Address of the terms of use that users of Microsoft 365 accept first; null: there are none. */
            termsOfUse: z.nullable(z.string()),
            /** What people choose from; none unless it says. */
            serviceLevels: z.optional(z.array(z.object({ id: z.enum(SERVICE_LEVELS), label: z.string() }))),
          }),
          /** Where people restore what is their own. */
          restoreUrl: z.optional(webAddress),
          /** Which explorers of the restore portal the brand has; all unless it says. */
          restorePortal: z.optional(
            z.object({ outlook: z.boolean(), onedrive: z.boolean(), sharepoint: z.boolean(), teams: z.boolean() }),
          ),
        }),
      ),
    }),
    /** Only in demonstration mode: the accounts that the sign-in page lists. */
    demonstration: z.nullable(
      z.object({ password: z.string(), accounts: z.array(z.object({ username: z.string(), role: z.string() })) }),
    ),
    version: z.string(),
  }),
);
export type Branding = z.infer<typeof branding>;

export const getBranding = declareCall({
  method: 'GET',
  path: '/branding',
  access: 'public',
  query: z.strictObject({ domain: z.optional(text(253)) }),
  ...itemOf(branding),
  failure: 'The portal could not be started, try again later.',
  summary: 'The brand of the host that was asked, or of ?domain=.',
});
