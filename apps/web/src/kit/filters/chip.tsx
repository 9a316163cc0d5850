import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import styles from './chip.module.css';

/** Something that narrows the list, with a button that removes it. */
export function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <span className={styles.chip}>
      {label}
      <button type="button" className={styles.remove} aria-label={`Remove ${label}`} onClick={onRemove}>
        <IconX size={12} aria-hidden />
      </button>
    </span>
  );
}
