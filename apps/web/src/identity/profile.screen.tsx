import { useUser } from '../kit/portal.tsx';
import { ApiKeys } from './api-keys/api-keys.tsx';
import { Looks } from './profile/looks.tsx';
import { OwnDetails } from './profile/own-details.tsx';
import styles from './profile/profile.module.css';
import { OwnActivity } from './sessions/own-activity.tsx';
import { OwnSessions } from './sessions/own-sessions.tsx';
import { OwnQuestions } from './user-directory/own-questions.tsx';

/** The own account: what a user says of it, how the portal looks, where it is signed in, what programs may do with it, and what was done with it. */
export default function ProfileScreen() {
  const { authType } = useUser();
  return (
    <div className={styles.profile}>
      <div className={styles.forms}>
        <section className={styles.section} aria-label="Details">
          <h2>Details</h2>
          <OwnDetails />
        </section>
        <section className={styles.section} aria-label="Looks">
          <h2>Looks</h2>
          <Looks />
        </section>
        {authType === 'ad' && (
          <section className={styles.section} aria-label="Secret questions">
            <h2>Secret questions</h2>
            <OwnQuestions />
          </section>
        )}
      </div>
      <OwnSessions />
      <ApiKeys />
      <OwnActivity />
    </div>
  );
}
