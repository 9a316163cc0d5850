import { Button } from '@mantine/core';
import { signIn } from '../../entities/places.ts';
import { useToasts } from '../../kit/portal.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import { Failure } from '../failure.tsx';
import styles from '../sign-in.module.css';
import { QuestionSteps } from './question-steps.tsx';
import { useUnlockAccount } from './questions.data.ts';

/** Unlocks an account of the directory that too many wrong passwords have locked. */
export default function UnlockScreen() {
  return (
    <QuestionSteps
      title="Unlock your account"
      lead="Too many wrong passwords lock an account. Answer your secret questions to unlock it."
    >
      {(hash) => <Unlock hash={hash} />}
    </QuestionSteps>
  );
}

function Unlock({ hash }: { hash: string }) {
  const { mutate, isPending, error } = useUnlockAccount();
  const toasts = useToasts();
  const go = useGo();
  const onSuccess = () => {
    toasts.success('Your account is unlocked. Log in.');
    go(signIn.at(), { replace: true });
  };
  return (
    <div className={styles.form}>
      <p className={styles.hint}>Your answers are right. Your password stays as it is.</p>
      <Failure error={error} />
      <Button size="sm" fullWidth autoFocus loading={isPending} onClick={() => mutate(hash, { onSuccess })}>
        Unlock account
      </Button>
    </div>
  );
}
