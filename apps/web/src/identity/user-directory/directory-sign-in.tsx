import { forgotPassword, resetByQuestions, unlock } from '../../entities/places.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { type AccountKind, OtherAccount } from '../other-account.tsx';
import styles from '../sign-in.module.css';
import { ExpiredPasswordPage, type ExpiredPasswordPageProps } from './expired-password-page.tsx';

/** What helps with an account of the directory, and the way to the accounts of the portal itself. */
function Links({ kind, onKind }: AccountKind) {
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
      <OtherAccount kind={kind} onKind={onKind} />
    </>
  );
}

/** What the sign-in has more for brands with a directory, in one part that is loaded for them alone: links, and the page for an expired password. */
export default function DirectorySignIn(props: AccountKind | ExpiredPasswordPageProps) {
  return 'kind' in props ? <Links {...props} /> : <ExpiredPasswordPage {...props} />;
}
