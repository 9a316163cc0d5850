import type { ComponentProps } from 'react';
import { DeviceCode, isPending } from '../../entities/device-code.tsx';
import { messageOf } from '../../kit/api.ts';
import styles from '../microsoft365.module.css';

/** A code to enter at Microsoft, and why what it is for was refused. */
export function CodeSignIn({ read, attempt }: ComponentProps<typeof DeviceCode>) {
  const { error } = attempt;
  return (
    <>
      <DeviceCode read={read} attempt={attempt} />
      {error !== null && !isPending(error) && (
        <p role="alert" className={styles.error}>
          {messageOf(error)}
        </p>
      )}
    </>
  );
}
