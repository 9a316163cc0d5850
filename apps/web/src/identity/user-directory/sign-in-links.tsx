import { Button } from '@mantine/core';
import { forgotPassword, resetByQuestions, unlock } from '../../entities/places.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from '../sign-in.module.css';

interface SignInLinksProps {
  kind: 'ad' | 'db';
  onKind: (kind: 'ad' | 'db') => void;
}

/** What helps with an account of the directory, and the way to the accounts of the portal itself. */
export default function SignInLinks({ kind, onKind }: SignInLinksProps) {
  const isDirectory = kind === 'ad';
  return (
    <>
      <ScreenLink to={isDirectory ? resetByQuestions.at() : forgotPassword.at()} className={styles.forgot}>
        Forgot password?
      </ScreenLink>
      {isDirectory && (
        <ScreenLink to={unlock.at()} className={styles.forgot}>
          Unlock account
        </ScreenLink>
      )}
      <Button variant="subtle" size="sm" fullWidth onClick={() => onKind(isDirectory ? 'db' : 'ad')}>
        {isDirectory ? 'Use an account of this portal' : 'Use an account of the directory'}
      </Button>
    </>
  );
}
