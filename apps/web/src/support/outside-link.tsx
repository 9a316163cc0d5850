import IconExternal from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import type { ReactNode } from 'react';
import styles from './support.module.css';

/** A page that the brand has outside of the portal. */
export function OutsideLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a className={styles.outside} href={url} target="_blank" rel="noreferrer">
      <IconExternal size={16} stroke={1.6} aria-hidden />
      {children}
    </a>
  );
}
