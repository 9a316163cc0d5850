import { Button } from '@mantine/core';
import { forgotPassword, resetByQuestions, unlock } from '../../entities/places.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from '../sign-in.module.css';
import { ExpiredPasswordPage, type ExpiredPasswordPageProps } from './expired-password-page.tsx';

interface LinksProps {
  kind: 'ad' | 'db';
  onKind: (kind: 'ad' | 'db') => void;
}

/** What helps with an account of the directory, and the way to the accounts of the portal itself. */
function Links({ kind, onKind }: LinksProps) {
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

/** What the sign-in has more for brands with a directory, in one part that is loaded for them alone: links, and the page for an expired password. */
export default function DirectorySignIn(props: LinksProps | ExpiredPasswordPageProps) {
  return 'kind' in props ? <Links {...props} /> : <ExpiredPasswordPage {...props} />;
}
