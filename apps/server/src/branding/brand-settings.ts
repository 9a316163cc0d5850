import { type Branding, SERVICE_LEVELS } from '@keepwatch/contract/branding/branding';
import { type BrandSettings, REPORTING_ROLES } from '@keepwatch/contract/branding/brands';
import { type Brand, presentBrand } from './brands.ts';
import type { OwnBranding } from './tables.ts';

const PLATFORMS = ['twitter', 'facebook', 'youtube', 'linkedin'] as const;
const SUPPORT_LINKS = ['request', 'live', 'downloads', 'faq'] as const;

type Link = Branding['features']['supportSection']['links']['faq'];

/** The settings of a brand as they are edited, defaults filled in. */
export function settingsOf(brand: Brand): BrandSettings {
  const { features, authType, isStripeEnabled, ...shown } = presentBrand(brand);
  const { name, domain, layout, title, sidebarTitle, supportEmail, supportPhone, trackingUrl } = shown;
  const { footer, socialMedia, rules, hints, reporting, invoice_automation, billing, supportSection } = features;
  const { links } = supportSection;
  return {
    ...{ name, domain, layout, title, sidebarTitle },
    ...given({ accent: brand.branding.accent, supportEmail, supportPhone, trackingUrl }),
    signsInByDirectory: authType === 'ad',
    hasFooter: footer,
    hasSocialMedia: socialMedia.enabled,
    ...socialAddresses(socialMedia.settings.links),
    hasRules: rules,
    hasHints: hints,
    hasReporting: reporting.enabled,
    reportingVisibleFor: REPORTING_ROLES.filter((role) => reporting.visibleFor.includes(role)),
    hasInvoiceAutomation: invoice_automation,
    collectsCards: billing.ccCollection,
    isStripeEnabled,
    hasSupportSection: supportSection.enabled,
    hasRequest: links.request.enabled,
    hasLive: links.live.enabled,
    hasDownloads: links.downloads.enabled,
    hasFaq: links.faq.enabled,
    ...given(Object.fromEntries(SUPPORT_LINKS.map((name) => [`${name}Url`, links[name].url]))),
    ...office365SettingsOf(features.office365),
  };
}

/** A brand before it has any switch of Microsoft 365 has all explorers. */
function office365SettingsOf(office365: Branding['features']['office365']) {
  const { outlook = true, onedrive = true, sharepoint = true, teams = true } = office365?.restorePortal ?? {};
  return {
    ...given({ termsOfUse: office365?.selfRegistration.termsOfUse, restoreUrl: office365?.restoreUrl }),
    serviceLevels: labelsOf(office365?.selfRegistration.serviceLevels ?? []),
    hasOutlook: outlook,
    hasOneDrive: onedrive,
    hasSharePoint: sharepoint,
    hasTeams: teams,
  };
}

/** The label of every service level; empty: it is not offered. */
function labelsOf(offered: readonly { id: keyof BrandSettings['serviceLevels']; label: string }[]) {
  const labelOf = (level: keyof BrandSettings['serviceLevels']) => offered.find(({ id }) => id === level)?.label ?? '';
  return {
    free: labelOf('free'),
    basic: labelOf('basic'),
    advanced: labelOf('advanced'),
    businessCritical: labelOf('businessCritical'),
    licenseStorage: labelOf('licenseStorage'),
    ACH: labelOf('ACH'),
  };
}

/** What is stored for the settings; every field of theirs, so that what was set before is gone. */
export function ownBrandingOf(settings: BrandSettings): OwnBranding {
  const { title, sidebarTitle, accent = null, supportEmail = null, supportPhone = null, trackingUrl = null } = settings;
  const authType = settings.signsInByDirectory ? 'ad' : 'db';
  const { isStripeEnabled } = settings;
  const features = featuresOf(settings);
  return { title, sidebarTitle, accent, supportEmail, supportPhone, trackingUrl, authType, isStripeEnabled, features };
}

function featuresOf(settings: BrandSettings): Branding['features'] {
  const { termsOfUse = null, restoreUrl } = settings;
  const levels = SERVICE_LEVELS.map((id) => ({ id, label: settings.serviceLevels[id] }));
  return {
    rules: settings.hasRules,
    hints: settings.hasHints,
    reporting: { enabled: settings.hasReporting, visibleFor: settings.reportingVisibleFor },
    supportSection: {
      enabled: settings.hasSupportSection,
      links: {
        request: linkOf(settings.hasRequest, settings.requestUrl),
        live: linkOf(settings.hasLive, settings.liveUrl),
        downloads: linkOf(settings.hasDownloads, settings.downloadsUrl),
        faq: linkOf(settings.hasFaq, settings.faqUrl),
      },
    },
    footer: settings.hasFooter,
    socialMedia: { enabled: settings.hasSocialMedia, settings: { links: socialLinksOf(settings) } },
    invoice_automation: settings.hasInvoiceAutomation,
    billing: { ccCollection: settings.collectsCards },
    office365: {
      selfRegistration: { termsOfUse, serviceLevels: levels.filter(({ label }) => label !== '') },
      ...given({ restoreUrl }),
      restorePortal: {
        outlook: settings.hasOutlook,
        onedrive: settings.hasOneDrive,
        sharepoint: settings.hasSharePoint,
        teams: settings.hasTeams,
      },
    },
  };
}

function linkOf(enabled: boolean, url: string | undefined): Link {
  return { enabled, ...given({ url }) };
}

function socialLinksOf(settings: BrandSettings) {
  return PLATFORMS.flatMap((platform) => {
    const link = settings[platform];
    return link === undefined ? [] : [{ platform, link }];
  });
}

/** Platforms are stored in any case of letters. */
function socialAddresses(links: Branding['features']['socialMedia']['settings']['links']) {
  const addressOf = (name: string) => links.find(({ platform }) => platform.toLowerCase() === name)?.link;
  return given(Object.fromEntries(PLATFORMS.map((name) => [name, addressOf(name)])));
}

/** Without what is `null` or `undefined`: in settings that is left out. */
function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
