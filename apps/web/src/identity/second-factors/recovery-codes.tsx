import { Button } from '@mantine/core';
import { useBranding, useToasts } from '../../kit/portal.tsx';
import styles from './second-factors.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  /** Whose they are. */
  username: string;
  onClose: () => void;
}

/** Recovery codes as they are shown, once: to be printed or stored elsewhere. */
export function RecoveryCodes({ codes, username, onClose }: RecoveryCodesProps) {
  const { title } = useBranding();
  const toasts = useToasts();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toasts.success('Recovery codes copied to clipboard');
    } catch {
      toasts.error('Your browser did not allow copying. Print the codes, or write them down.');
    }
  };
  return (
    <div className={styles.steps}>
      <p className={styles.hint}>
        Each of these codes lets {username} log in to {title} once, without the second factor. Keep them where your
        phone is not. They are not shown again.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={`${styles.actions} ${styles.printless}`}>
        <Button onClick={onClose}>I have stored them</Button>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button variant="default" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </div>
  );
}
