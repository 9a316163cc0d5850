import type { ReactNode } from 'react';
import { useBranding } from '../kit/portal.tsx';
import styles from './entry-page.module.css';

/** The page before the portal: brand, heading, form. Its looks follow the brand's layout (program/brands.css). */
export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  const branding = useBranding();
  return (
    <div className={styles.page}>
      <div className={styles.hero} aria-hidden>
        {branding.name}
      </div>
      <main className={styles.card}>
        <div className={styles.brand}>
          {branding.sidebarLogoUrl === null ? (
            <span className={styles.mark} aria-hidden />
          ) : (
            <img
              src={branding.sidebarLogoUrl}
              alt=""
              height={28}
              width={branding.sidebarLogoWidth ?? undefined}
              className={styles.logo}
            />
          )}
          <span>{branding.sidebarTitle}</span>
        </div>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </main>
      <Support />
    </div>
  );
}

function Support() {
  const { supportEmail, supportPhone } = useBranding();
  if (supportEmail === null && supportPhone === null) return null;
  return (
    <footer className={styles.support}>
      Need help? {supportEmail !== null && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
      {supportPhone !== null && <a href={`tel:${supportPhone}`}>{supportPhone}</a>}
    </footer>
  );
}
