import { messageOf } from '../kit/api.ts';
import styles from './sign-in.module.css';

/** Says why a step of the sign-in was refused. */
export function Failure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p className={styles.error} role="alert">
      {messageOf(error)}
    </p>
  );
}
