import { useSearch } from '@tanstack/react-router';
import { useGoOn } from '../../kit/screen-link.tsx';
import styles from '../sign-in.module.css';
import { OwnQuestions } from './own-questions.tsx';

/** Where users of a directory begin who have not chosen secret questions yet. */
export default function SecurityQuestionsScreen() {
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const goOn = useGoOn();
  return (
    <section className={styles.settings}>
      <p className={styles.hint}>
        With the answers you unlock your account, or choose a new password, without an administrator. Upper and lower
        case and spaces make no difference.
      </p>
      <OwnQuestions onDone={() => goOn(next)} />
    </section>
  );
}
