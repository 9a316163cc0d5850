import type { Brand, BrandSettings } from '@keepwatch/contract/branding/brands';
import type { CallForm } from '../kit/form/use-call-form.ts';

const NONE = {
  accent: '',
  supportEmail: '',
  supportPhone: '',
  trackingUrl: '',
  twitter: '',
  facebook: '',
  youtube: '',
  linkedin: '',
  requestUrl: '',
  liveUrl: '',
  downloadsUrl: '',
  faqUrl: '',
  termsOfUse: '',
  restoreUrl: '',
};

/** The settings as they are typed. */
export type BrandDraft = Omit<Required<BrandSettings>, keyof typeof NONE> & typeof NONE;

export type BrandForm = CallForm<BrandDraft>;

export function draftOf({
  id: _id,
  logo: _logo,
  icon: _icon,
  hasChatSecret: _hasChatSecret,
  ...settings
}: Brand): BrandDraft {
  return { ...NONE, ...settings };
}
