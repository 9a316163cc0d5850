import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useUser } from '../../kit/portal.tsx';
import { useGoOn } from '../../kit/screen-link.tsx';
import styles from './second-factors.module.css';
import { SecondFactors } from './second-factors.tsx';

/** What protects the own account. Who has to add a second factor begins here, and goes on from here. */
export default function SecurityScreen() {
  const { secondFactorNeeded } = useUser();
  const [wasNeeded] = useState(secondFactorNeeded);
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const goOn = useGoOn();
  return (
    <div className={styles.page}>
      {secondFactorNeeded && (
        <p className={styles.needed}>Your provider requires a second factor. Add one, and go on.</p>
      )}
      <SecondFactors />
      {wasNeeded && !secondFactorNeeded && (
        <div>
          <Button onClick={() => goOn(next)}>Go on to the portal</Button>
        </div>
      )}
    </div>
  );
}
