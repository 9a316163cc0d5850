import type { ReactNode } from 'react';
import styles from './menu-item.module.css';

interface MenuItemProps {
  onClick: () => void;
  icon?: ReactNode;
  isDanger?: boolean;
  children: ReactNode;
}

/** One action in a panel. */
export function MenuItem({ onClick, icon, isDanger = false, children }: MenuItemProps) {
  return (
    <button type="button" className={styles.item} data-danger={isDanger || undefined} onClick={onClick}>
      {icon}
      {children}
    </button>
  );
}
