import type { Icon } from '@tabler/icons-react';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { applicationOf, o365 } from '../entities/applications.ts';
import { o365SupportRequest, supportRequest } from '../entities/places.ts';
import { useBranding, useClock } from '../kit/portal.tsx';
import { ScreenLink, useMayOpen } from '../kit/screen-link.tsx';
import styles from './footer.module.css';
import { PrivacyLink } from './privacy-link.tsx';

/** Few brands track. */
const TrackingLink = lazy(() => import('./tracking-link.tsx'));

/** The only brand with a Privacy Policy of its own (specification "portal", part 2). */
const PRIVACY_BRAND_ID = 1;

const PLATFORMS: Readonly<Record<string, string>> = {
  twitter: 'Twitter',
  facebook: 'Facebook',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
};

/** Year, brand, support, Privacy Policy and social links (specification "portal", part 2). */
export function Footer() {
  const { id, name, features, supportEmail, supportPhone, trackingUrl } = useBranding();
  const clock = useClock();
  const tracking = trackingUrl !== null && (
    <Suspense fallback={null}>
      <TrackingLink />
    </Suspense>
  );
  // Who said something about the usage tracking can take it back, also where the brand has no footer.
  if (!features.footer) return tracking && <footer className={styles.footer}>{tracking}</footer>;
  const links = features.socialMedia.enabled ? features.socialMedia.settings.links : [];
  return (
    <footer className={styles.footer}>
      <span className={styles.owner}>
        © {clock.now().getFullYear()} {name}
      </span>
      {supportPhone !== null && <Contact icon={IconPhone} address={`tel:${supportPhone}`} text={supportPhone} />}
      {supportEmail !== null && <SupportMail address={supportEmail} />}
      {id === PRIVACY_BRAND_ID && <PrivacyLink />}
      {tracking}
      {links.length > 0 && (
        <span className={styles.social}>
          {links.map(({ platform, link }) => (
            <a key={platform} href={link} target="_blank" rel="noreferrer">
              {PLATFORMS[platform.toLowerCase()] ?? platform}
            </a>
          ))}
        </span>
      )}
    </footer>
  );
}

/** Leads to the page for a request, and where the brand has none to the mail program. */
function SupportMail({ address }: { address: string }) {
  const isMicrosoft365 = useRouterState({ select: (state) => applicationOf(state.location.pathname) === o365 });
  const place = isMicrosoft365 ? o365SupportRequest : supportRequest;
  if (!useMayOpen(place)) return <Contact icon={IconMail} address={`mailto:${address}`} text={address} />;
  return (
    <ScreenLink to={place.at()} title={address}>
      <Words icon={IconMail} text={address} />
    </ScreenLink>
  );
}

/** An icon instead of the words on a phone, where everything has to fit in one line. */
function Contact({ icon, address, text }: { icon: Icon; address: string; text: string }) {
  return (
    <a href={address} title={text}>
      <Words icon={icon} text={text} />
    </a>
  );
}

function Words({ icon: Icon, text }: { icon: Icon; text: string }) {
  return (
    <>
      <Icon size={16} stroke={1.6} aria-hidden className={styles.sign} />
      <span className={styles.words}>{text}</span>
    </>
  );
}
