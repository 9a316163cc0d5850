import { Button } from '@mantine/core';
import styles from '../microsoft365.module.css';
import type { Connected } from './organizations.data.ts';

interface MissingPermissionsProps {
  connected: Connected;
  onContinue: () => void;
}

/** Names what the application lacks, what is not backed up without it, and where an administrator grants it. */
export function MissingPermissions({ connected, onContinue }: MissingPermissionsProps) {
  const { data, missing, consentUrl } = connected;
  return (
    <div className={styles.page}>
      <h2>{data.name} is connected, but permissions are missing</h2>
      <ul>
        {missing.map(({ permission, use, without }) => (
          <li key={`${use} ${permission}`}>
            <strong>{permission}</strong>: {without}
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        An administrator of the tenant grants them at Microsoft. Everything else is backed up meanwhile, and the next
        run notices that they were granted.
      </p>
      <div className={styles.actions}>
        {consentUrl !== null && (
          <Button component="a" href={consentUrl} target="_blank" rel="noreferrer">
            Grant permissions at Microsoft
          </Button>
        )}
        <Button variant="default" onClick={onContinue}>
          Continue
        </Button>
      </div>
    </div>
  );
}
