import { useBranding, useClock } from '../kit/portal.tsx';
import styles from './footer.module.css';
import { PrivacyLink } from './privacy-link.tsx';

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
  const { id, name, features, supportEmail, supportPhone } = useBranding();
  const clock = useClock();
  if (!features.footer) return null;
  const links = features.socialMedia.enabled ? features.socialMedia.settings.links : [];
  return (
    <footer className={styles.footer}>
      <span>
        © {clock.now().getFullYear()} {name}
      </span>
      {supportPhone !== null && <a href={`tel:${supportPhone}`}>{supportPhone}</a>}
      {supportEmail !== null && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
      {id === PRIVACY_BRAND_ID && <PrivacyLink />}
      <span className={styles.social}>
        {links.map(({ platform, link }) => (
          <a key={platform} href={link} target="_blank" rel="noreferrer">
            {PLATFORMS[platform.toLowerCase()] ?? platform}
          </a>
        ))}
      </span>
    </footer>
  );
}
