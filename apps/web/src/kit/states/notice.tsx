import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface NoticeProps {
  title: string;
  text: string;
  /** The icon above the title. */
  icon?: ReactNode;
  /** Is the whole page; its title is the heading. */
  isPage?: boolean;
  /** Something failed: it is read out at once. */
  isAlert?: boolean;
  /** What to do next: buttons and links. */
  children?: ReactNode;
}

/** Says why there is nothing to see here, and what to do next. */
export function Notice({ title, text, icon, isPage = false, isAlert = false, children }: NoticeProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.notice} data-page={isPage || undefined} role={isAlert ? 'alert' : undefined}>
      {icon !== undefined && <div className={styles.icon}>{icon}</div>}
      <Heading>{title}</Heading>
      <p className={styles.text}>{text}</p>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
