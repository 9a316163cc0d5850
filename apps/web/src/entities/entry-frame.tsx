import type { Branding } from '@keepwatch/contract/branding/branding';
import type { ReactNode } from 'react';
import styles from './entry-frame.module.css';

/** What of a brand is on the pages before the portal. */
export type EntryBrand = Pick<
  Branding,
  'name' | 'layout' | 'sidebarTitle' | 'sidebarLogoUrl' | 'sidebarLogoWidth' | 'supportEmail' | 'supportPhone'
>;

interface EntryFrameProps {
  brand: EntryBrand;
  title: string;
  children: ReactNode;
}

/** Brand, heading and content in the brand's layout: on the pages before the portal, and where a brand is edited. */
export function EntryFrame({ brand, title, children }: EntryFrameProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.page} data-layout={brand.layout}>
        <div className={styles.hero} aria-hidden>
          <span>{brand.name}</span>
        </div>
        <main className={styles.card}>
          <div className={styles.brand}>
            {brand.sidebarLogoUrl === null ? (
              <span className={styles.mark} aria-hidden />
            ) : (
              <img
                src={brand.sidebarLogoUrl}
                alt=""
                height={28}
                width={brand.sidebarLogoWidth ?? undefined}
                className={styles.logo}
              />
            )}
            <span>{brand.sidebarTitle}</span>
          </div>
          <h1 className={styles.title}>{title}</h1>
          {children}
        </main>
        <Support brand={brand} />
      </div>
    </div>
  );
}

function Support({ brand: { supportEmail, supportPhone } }: { brand: EntryBrand }) {
  if (supportEmail === null && supportPhone === null) return null;
  return (
    <footer className={styles.support}>
      Need help? {supportEmail !== null && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
      {supportPhone !== null && <a href={`tel:${supportPhone}`}>{supportPhone}</a>}
    </footer>
  );
}
