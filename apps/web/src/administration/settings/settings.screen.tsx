import { useConnections } from '../../entities/connection/connections.data.ts';
import { runsInstallation } from '../../entities/runs-installation.ts';
import { ListSection } from '../../kit/list/list-section.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { useUser } from '../../kit/portal.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import shared from '../page.module.css';
import { MailSection } from './mail-section.tsx';
import { SecretKeySection } from './secret-key-section.tsx';
import styles from './settings.module.css';
import { SmsSection } from './sms-section.tsx';

/** What the portal itself is set up with: how it sends mails and messages, and the key of what it stores. */
export default function SettingsScreen() {
  const { data, error, refetch } = useConnections();
  useLive('connections.changed', ['connections', 'list']);
  const isOperator = runsInstallation(useUser());
  if (data === undefined && error !== null)
    return <ErrorState error={error} what="the settings" onRetry={() => void refetch()} />;
  return (
    <div className={shared.page} aria-busy={data === undefined}>
      {data !== undefined && (
        <>
          <MailSection connections={data} />
          <SmsSection connections={data} />
          <GuessedPasswords />
          {isOperator && <SecretKeySection />}
        </>
      )}
    </div>
  );
}

function GuessedPasswords() {
  return (
    <ListSection title="Guessed passwords" text="How many passwords can be tried.">
      <div className={styles.body}>
        <p className={shared.hint}>
          No captcha is used: wrong passwords are counted by name and by network, and further tries are refused for ten
          minutes. Second factors can be required on the page Sign-in rules.
        </p>
      </div>
    </ListSection>
  );
}
