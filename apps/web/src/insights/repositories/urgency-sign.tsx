import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import type { Urgency } from './fill-level.ts';
import styles from './repositories.module.css';

/** Two shapes, as not every user can distinguish two colours. The words beside it say why it is there. */
export function UrgencySign({ urgency }: { urgency: Urgency }) {
  if (urgency === 'none') return null;
  const Sign = urgency === 'now' ? IconAlertOctagon : IconAlertTriangle;
  return <Sign size={13} stroke={2} aria-hidden className={styles.sign} />;
}
