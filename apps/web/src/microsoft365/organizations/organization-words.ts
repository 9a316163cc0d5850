import type { AuthType, Organization, Region } from '@keepwatch/contract/microsoft365/organizations';

export const REGION_WORDS: Readonly<Record<Region, string>> = {
  Worldwide: 'Worldwide',
  USGovernment: 'US Government (GCC High)',
  USDefence: 'US Department of Defense',
  China: 'China (21Vianet)',
};

export const AUTH_WORDS: Readonly<Record<AuthType, string>> = {
  modern: 'Modern (application with a certificate)',
  modernLegacy: 'Legacy (application ID and secret)',
  basic: 'Basic (account and password)',
};

type Services = Pick<Organization, 'isExchangeOnline' | 'isSharePointOnline' | 'isTeamsOnline' | 'isTeamsChatsOnline'>;

/** `Exchange, SharePoint, Teams`. */
export function servicesText(services: Services): string {
  const names = [
    services.isExchangeOnline && 'Exchange',
    services.isSharePointOnline && 'SharePoint and OneDrive',
    services.isTeamsOnline && 'Teams',
    services.isTeamsChatsOnline && 'Teams chats',
  ];
  return names.filter((name) => name !== false).join(', ');
}
