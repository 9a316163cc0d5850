import { Button } from '@mantine/core';
import type { Session } from '../kit/session.ts';
import { exitText, useExit } from '../kit/use-exit.ts';
import styles from './acting-bar.module.css';

/** Says as whom an administrator acts, and leads back. */
export default function ActingBar({ session: { user, own } }: { session: Session }) {
  const { mutate, isPending } = useExit();
  return (
    <section className={styles.bar} aria-label="Signed in as another user">
      <p>
        You act as <strong>{user.name}</strong> ({user.username}). The users logs name you, {own?.user.username}, too.
      </p>
      <Button variant="default" size="compact-sm" loading={isPending} onClick={() => mutate()}>
        {exitText(user.username)}
      </Button>
    </section>
  );
}
