import type { Icon } from '@tabler/icons-react';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs';
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
      <span className={styles.owner}>
        © {clock.now().getFullYear()} {name}
      </span>
      {supportPhone !== null && <Contact icon={IconPhone} address={`tel:${supportPhone}`} text={supportPhone} />}
      {supportEmail !== null && <Contact icon={IconMail} address={`mailto:${supportEmail}`} text={supportEmail} />}
      {id === PRIVACY_BRAND_ID && <PrivacyLink />}
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

/** An icon instead of the words on a phone, where everything has to fit in one line. */
function Contact({ icon: Icon, address, text }: { icon: Icon; address: string; text: string }) {
  return (
    <a href={address} title={text}>
      <Icon size={16} stroke={1.6} aria-hidden className={styles.sign} />
      <span className={styles.words}>{text}</span>
    </a>
  );
}
