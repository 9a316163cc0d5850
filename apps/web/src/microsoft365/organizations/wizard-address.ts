import type { OrganizationDraft } from './organization-draft.ts';

/** Steps of the wizard; the third and the fourth have an address for each sign-in. */
export type StepKey = '1' | '3' | '4' | '5';
type SignIn = Pick<OrganizationDraft, 'authType' | 'application'>;

const AUTH = { basic: 'basic', modern: 'modern', modernLegacy: 'legacy' } as const;

/** Where a step is, with this sign-in (specification "microsoft365", part 2): `3/legacy`, `4a/modern`. */
export function addressOf(key: string, { authType, application }: SignIn): string {
  const auth = AUTH[authType];
  if (key === '3') return `3/${auth}`;
  if (key === '4' && auth !== 'modern') return `4/${auth}`;
  if (key === '4') return application === 'new' ? '4a/modern' : '4b/modern';
  return key === '5' ? '5/modern' : '1';
}

/** The step at an address. */
export function keyOf(address: string): string {
  return address.charAt(0);
}

/** The sign-in that an address is of: of no other one is there such a step. */
export function signInOf(address: string): Partial<SignIn> {
  const [step, auth] = address.split('/');
  if (auth === 'basic') return { authType: 'basic' };
  if (auth === 'legacy') return { authType: 'modernLegacy' };
  if (auth !== 'modern') return {};
  const application = { '4a': 'new', '4b': 'existing' } as const;
  return step === '4a' || step === '4b'
    ? { authType: 'modern', application: application[step] }
    : { authType: 'modern' };
}
