import { setup, signIn } from '../entities/places.ts';
import { ScreenLink, usePlaceParams } from '../kit/screen-link.tsx';
import { AccountForm } from './account-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { useSetupLink } from './setup.data.ts';
import styles from './sign-in.module.css';

/** The first account of a new installation, by the link that its first start printed. */
export default function SetupScreen() {
  const { token } = usePlaceParams(setup);
  const { isPending, isSpent } = useSetupLink(token);
  if (isSpent) return <SpentLink />;
  return (
    <EntryPage title="Create the first account">
      {isPending ? <div className={styles.waiting} aria-busy /> : <AccountForm token={token} />}
    </EntryPage>
  );
}

function SpentLink() {
  return (
    <EntryPage title="This link is not valid">
      <p className={styles.hint}>
        It was used already, or a later start of the portal has printed another one. If you have an account, log in.
        Otherwise start the portal again and open the link that it prints.
      </p>
      <ScreenLink to={signIn.at()} className={styles.onward}>
        Go to sign-in
      </ScreenLink>
    </EntryPage>
  );
}
