import { Button } from '@mantine/core';
import { useState } from 'react';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { useBranding, useClock } from '../../kit/portal.tsx';
import type { RecoverySheetParts } from './new-repository-form.ts';
import styles from './recovery-sheet.module.css';

interface RecoverySheetProps extends RecoverySheetParts {
  onDone: () => void;
}

/** What opens a new repository without the portal, to be printed: it is shown this one time. */
export function RecoverySheet({ made, password, bucket, onDone }: RecoverySheetProps) {
  const [isStored, setStored] = useState(false);
  const branding = useBranding();
  const createdAt = useClock().now().toISOString();
  const { data } = made;
  return (
    <div className={styles.sheet}>
      <h2>Recovery sheet</h2>
      <p className={styles.text}>
        Print it and store it in a safe place. Without the password these backups cannot be read. It is shown only now.
      </p>
      <Facts>
        <Fact term="Portal">{branding.title}</Fact>
        <Fact term="Organization">{data.organizationName}</Fact>
        <Fact term="Repository">{data.name}</Fact>
        <Fact term="Place">
          <code>{data.path}</code>
        </Fact>
        {bucket !== null && <Fact term="Endpoint">{bucket.endpoint === '' ? 'Amazon S3' : bucket.endpoint}</Fact>}
        {bucket !== null && <Fact term="Region">{bucket.region}</Fact>}
        <Fact term="Repository ID">
          <code>{data.id}</code>
        </Fact>
        <Fact term="Created">{formatDateTime(createdAt)}</Fact>
        <Fact term="Password">
          <code className={styles.secret}>{password}</code>
        </Fact>
        <Fact term="Description">{data.passwordDescription}</Fact>
      </Facts>
      <div className={styles.actions}>
        <label className={styles.confirm}>
          <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />I
          have stored the password in a safe place
        </label>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
