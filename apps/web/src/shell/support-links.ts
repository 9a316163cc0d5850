import { useRouterState } from '@tanstack/react-router';
import { applicationOf, o365 } from '../entities/applications.ts';
import { useBranding } from '../kit/portal.tsx';

/** The group of the sidebar for help. */
export const SUPPORT = 'Support';

/** A page outside of the portal. */
export interface ExternalLink {
  label: string;
  url: string;
  hint?: string;
}

/** What the brand has outside of the portal for users of Microsoft 365 (specification "portal", part 2). */
export function useSupportLinks(): readonly ExternalLink[] {
  const { features } = useBranding();
  const isMicrosoft365 = useRouterState({ select: (state) => applicationOf(state.location.pathname) === o365 });
  if (!isMicrosoft365 || !features.supportSection.enabled) return [];
  const { faq } = features.supportSection.links;
  const restoreUrl = features.office365?.restoreUrl;
  const links: ExternalLink[] = [];
  if (faq.enabled && faq.url !== undefined) links.push({ label: 'FAQ', url: faq.url });
  if (restoreUrl !== undefined)
    links.push({
      label: 'End-User Restore',
      url: restoreUrl,
      hint: 'Use or bookmark this external URL for end-users to restore their own data.',
    });
  return links;
}
