import { ApiKeys } from './api-keys/api-keys.tsx';
import styles from './profile.module.css';
import { OwnActivity } from './sessions/own-activity.tsx';
import { OwnSessions } from './sessions/own-sessions.tsx';

/** The own account: where it is signed in, what programs may do with it, and what was done with it. */
export default function ProfileScreen() {
  return (
    <div className={styles.screen}>
      <OwnSessions />
      <ApiKeys />
      <OwnActivity />
    </div>
  );
}
