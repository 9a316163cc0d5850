import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { useToasts } from '../../kit/portal.tsx';
import styles from '../microsoft365.module.css';
import type { Connected } from './organizations.data.ts';

interface MissingPermissionsProps {
  connected: Connected;
  onContinue: () => void;
  /** Asks Microsoft once more what the application may. */
  check: () => Promise<Connected>;
  onChecked: (connected: Connected) => void;
}

type Missing = Connected['missing'];

/** Would let an application write that only reads, so a new one is made without it. */
const FULL_CONTROL = /^Sites\.FullControl\.All/;

/** Names what the application lacks, what is not backed up without it, and where an administrator grants it. */
export function MissingPermissions({ connected, onContinue, check, onChecked }: MissingPermissionsProps) {
  const { data, missing, consentUrl } = connected;
  if (missing.every(({ permission }) => FULL_CONTROL.test(permission)))
    return <ReadOnly name={data.name} missing={missing} onContinue={onContinue} />;
  return (
    <div className={styles.page}>
      <h2>{data.name} is connected, but permissions are missing</h2>
      <Uses missing={missing} />
      <p className={styles.note}>
        An administrator of the tenant grants them at Microsoft. Everything else is backed up meanwhile, and the next
        run notices that they were granted.
      </p>
      {consentUrl !== null && <CopyField label="Address for the administrator" text={consentUrl} />}
      <div className={styles.actions}>
        {consentUrl !== null && (
          <Button component="a" href={consentUrl} target="_blank" rel="noreferrer">
            Grant permissions at Microsoft
          </Button>
        )}
        <CheckAgain check={check} onChecked={onChecked} />
        <Button variant="default" onClick={onContinue}>
          Continue
        </Button>
      </div>
    </div>
  );
}

/** After the permissions were granted in the other tab. Microsoft may need a minute until they are in force. */
function CheckAgain({ check, onChecked }: Pick<MissingPermissionsProps, 'check' | 'onChecked'>) {
  const toasts = useToasts();
  const checking = useMutation({
    mutationFn: check,
    onSuccess: onChecked,
    onError: (error) => toasts.error(messageOf(error)),
  });
  return (
    <>
      <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
        Check again
      </Button>
      {checking.isSuccess && <span role="status">Still missing. A grant can take a minute until it is in force.</span>}
    </>
  );
}

/** Nothing is wrong: full control is left out on purpose, and this says what follows. */
function ReadOnly({ name, missing, onContinue }: { name: string; missing: Missing; onContinue: () => void }) {
  return (
    <div className={styles.page}>
      <h2>{name} is connected</h2>
      <p className={styles.note}>
        Its application has no full control of sites, which would let it write. This is left out of the backups:
      </p>
      <Uses missing={missing} />
      <div className={styles.actions}>
        <Button onClick={onContinue}>Continue</Button>
      </div>
    </div>
  );
}

function Uses({ missing }: { missing: Missing }) {
  return (
    <ul>
      {missing.map(({ permission, use, without }) => (
        <li key={`${use} ${permission}`}>
          <strong>{permission}</strong>: {without}
        </li>
      ))}
    </ul>
  );
}
