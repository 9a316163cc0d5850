import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useBranding } from '../../kit/portal.tsx';
import { Failure } from '../failure.tsx';
import styles from '../sign-in.module.css';
import { useBeginSignOn } from './single-sign-on.data.ts';

/** The buttons of the brand's identity providers, and the form for passwords below; behind a button where passwords are for administrators alone. */
export default function ProviderSignIn({ children }: { children: ReactNode }) {
  const { identityProviders, hasPasswords } = useBranding();
  const [asksPassword, setAsking] = useState(hasPasswords);
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const { mutate, isPending, isSuccess, variables, error } = useBeginSignOn(next);
  return (
    <div className={styles.form}>
      {identityProviders.map(({ id, name }) => (
        <Button
          key={id}
          variant={hasPasswords ? 'default' : 'filled'}
          size="sm"
          fullWidth
          // The browser leaves the page a moment later.
          loading={(isPending || isSuccess) && variables === id}
          onClick={() => mutate(id)}
        >
          Log in with {name}
        </Button>
      ))}
      <Failure error={error} />
      {asksPassword ? (
        children
      ) : (
        <Button variant="subtle" size="sm" fullWidth onClick={() => setAsking(true)}>
          Log in with a password (administrators)
        </Button>
      )}
    </div>
  );
}
