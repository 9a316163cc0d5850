import type { ReactNode } from 'react';
import styles from './menu-item.module.css';

interface MenuItemProps {
  onClick: () => void;
  icon?: ReactNode;
  isDanger?: boolean;
  /** The panel gives it the focus when it opens, also where there are fields in it. */
  isFirst?: boolean;
  children: ReactNode;
}

/** One action in a panel. */
export function MenuItem({ onClick, icon, isDanger = false, isFirst = false, children }: MenuItemProps) {
  return (
    <button
      type="button"
      className={styles.item}
      data-danger={isDanger || undefined}
      data-autofocus={isFirst || undefined}
      onClick={onClick}
    >
      {icon}
      {children}
    </button>
  );
}
