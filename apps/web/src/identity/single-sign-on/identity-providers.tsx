import type { IdentityProvider } from '@keepwatch/contract/identity/identity-providers';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { connectors } from '../../entities/places.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import styles from '../second-factors/second-factors.module.css';
import { useIdentityProviders } from './identity-providers.data.ts';

const GroupsDialog = lazy(() => import('./groups-dialog.tsx'));

/** The identity providers through which users sign in, and what their groups give. */
export function IdentityProviders() {
  const { data: reply, error, refetch } = useIdentityProviders();
  const [edited, setEdited] = useState<IdentityProvider | null>(null);
  return (
    <section className={styles.section} aria-busy={reply === undefined && error === null}>
      <h2>Identity providers</h2>
      <p className={styles.hint}>
        Users log in with their accounts there. Connect one in <ScreenLink to={connectors.at()}>Connectors</ScreenLink>,
        then set which roles its groups give.
      </p>
      {reply === undefined && error !== null && (
        <ErrorState error={error} what="the identity providers" onRetry={() => void refetch()} />
      )}
      {reply !== undefined && <CopyField label="Redirect address" text={reply.redirectAddress} />}
      {reply !== undefined && <CopyField label="Redirect address after log-out" text={reply.signedOutAddress} />}
      {reply?.data.map((provider) => (
        <div key={provider._id} className={styles.row}>
          <div className={styles.what}>
            <strong>{provider.name}</strong>
            <span className={styles.hint}>{stateOf(provider)}</span>
          </div>
          <Button variant="default" aria-label={`Groups of ${provider.name}`} onClick={() => setEdited(provider)}>
            Groups
          </Button>
        </div>
      ))}
      {edited !== null && (
        <Suspense fallback={null}>
          <GroupsDialog provider={edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </section>
  );
}

function stateOf({ isEnabled, groups }: IdentityProvider): string {
  if (!isEnabled) return 'Switched off';
  return groups.length === 0
    ? 'No groups yet: no user can log in through it'
    : formatCounted(groups.length, 'group', 'groups');
}
