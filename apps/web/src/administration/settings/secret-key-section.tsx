import type { SecretKey } from '@keepwatch/contract/administration/secret-key';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { ListSection } from '../../kit/list/list-section.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import shared from '../page.module.css';
import { PreviousKey } from './previous-key.tsx';
import { useSecretKey } from './settings.data.ts';
import styles from './settings.module.css';

const RotateDialog = lazy(() => import('./rotate-dialog.tsx'));

const ORIGINS: Readonly<Record<SecretKey['origin'], string>> = {
  environment: 'A setting of the environment',
  file: 'A file in the data folder',
};

/** The key with which passwords and tokens are stored: which one, since when, and how far a rotation is. */
export function SecretKeySection() {
  const { data, error, refetch } = useSecretKey();
  return (
    <ListSection
      title="Key of the stored secrets"
      text="Passwords, tokens and keys of connected systems are stored encrypted with it."
    >
      <div className={styles.body} aria-busy={data === undefined && error === null}>
        {data === undefined && error !== null && (
          <ErrorState error={error} what="the key" onRetry={() => void refetch()} />
        )}
        {data !== undefined && <Key data={data} />}
      </div>
    </ListSection>
  );
}

function Key({ data }: { data: SecretKey }) {
  const { id, origin, since, values, lost, previous } = data;
  return (
    <>
      <Facts>
        <Fact term="Key in force">
          <code className={styles.value}>{id}</code>
        </Fact>
        <Fact term="Comes from">{ORIGINS[origin]}</Fact>
        <Fact term="In force since">{since === null ? 'Before this was recorded' : formatDateTime(since)}</Fact>
        <Fact term="Stored secrets">{formatCount(values)}</Fact>
      </Facts>
      {lost > 0 && (
        <p className={styles.bad}>
          {formatCounted(lost, 'stored secret', 'stored secrets')} cannot be opened with any key of this machine. Enter
          them again where a connection is failing.
        </p>
      )}
      {previous === null ? <Rotation data={data} /> : <PreviousKey previous={previous} values={values} />}
    </>
  );
}

function Rotation({ data }: { data: SecretKey }) {
  const [isOpen, setOpen] = useState(false);
  if (!data.canRotate) return <RotateBySettings />;
  return (
    <div className={styles.actions}>
      <Button variant="default" onClick={() => setOpen(true)}>
        Rotate key…
      </Button>
      <Suspense fallback={null}>{isOpen && <RotateDialog id={data.id} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  );
}

/** Where several machines may have the key, or the environment gives it. */
function RotateBySettings() {
  return (
    <>
      <p className={shared.hint}>To bring a new key in force, on every machine of this installation:</p>
      <ol className={styles.steps}>
        <li>Stop the portal.</li>
        <li>
          Set KEEPWATCH_PREVIOUS_SECRET to the key in force, which is KEEPWATCH_SECRET or the content of the file
          “secret” in the data folder, and KEEPWATCH_SECRET to a new long random text.
        </li>
        <li>
          Start the portal. Everything stored is encrypted again in the background, and this page shows how far it is.
        </li>
      </ol>
    </>
  );
}
