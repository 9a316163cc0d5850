import type { SecretKey } from '@keepwatch/contract/administration/secret-key';
import { Button } from '@mantine/core';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import shared from '../page.module.css';
import { useRemovePreviousKey } from './settings.data.ts';
import styles from './settings.module.css';

interface PreviousKeyProps {
  previous: NonNullable<SecretKey['previous']>;
  /** How many secrets are stored. */
  values: number;
}

/** How far a rotation is; after its end, how the previous key is removed. */
export function PreviousKey({ previous, values }: PreviousKeyProps) {
  const { id, isNeeded, values: left } = previous;
  const done = values - left;
  return (
    <div aria-live="polite" className={styles.body}>
      {isNeeded ? (
        <>
          <ProgressBar
            tone="running"
            ratio={values === 0 ? null : done / values}
            text={`${formatCount(done)} of ${formatCount(values)} stored secrets are encrypted with the key in force; ${formatCount(left)} are still under the previous one.`}
          />
          <p className={shared.hint}>
            The previous key <code>{id}</code> is needed until none is left. The portal does not start without it.
          </p>
        </>
      ) : (
        <NeedlessKey previous={previous} />
      )}
    </div>
  );
}

function NeedlessKey({ previous: { id, origin } }: Pick<PreviousKeyProps, 'previous'>) {
  const remove = useRemovePreviousKey();
  const { confirm, dialog } = useConfirm();
  const ask = async () => {
    const text = `Backups that were made before the rotation need ${id}. Store its file “secret.previous” with them first: it cannot be brought back.`;
    if (await confirm({ title: 'Delete the previous key?', text, confirmLabel: 'Delete previous key', isDanger: true }))
      remove.mutate();
  };
  return (
    <>
      <p className={shared.hint}>
        Nothing is encrypted with the previous key <code>{id}</code> any more.{' '}
        {origin === 'environment' &&
          'Remove KEEPWATCH_PREVIOUS_SECRET on every machine at its next start, and store the key with the backups that were made before the rotation.'}
      </p>
      {origin === 'file' && (
        <div className={styles.actions}>
          <Button variant="default" color="red" loading={remove.isPending} onClick={() => void ask()}>
            Delete previous key…
          </Button>
        </div>
      )}
      {dialog}
    </>
  );
}
