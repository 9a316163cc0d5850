import type { Branding } from '@keepwatch/contract/branding/branding';
import styles from './sign-in.module.css';

interface DemonstrationAccountsProps {
  demonstration: NonNullable<Branding['demonstration']>;
  onChoose: (username: string, password: string) => void;
}

/** The accounts of the demonstration, each a button that fills the form. */
export function DemonstrationAccounts({ demonstration, onChoose }: DemonstrationAccountsProps) {
  return (
    <section className={styles.accounts} aria-labelledby="demonstration-accounts">
      <h2 id="demonstration-accounts">Demonstration accounts</h2>
      <p className={styles.hint}>
        Choose one to fill the form. The password of all is <code>{demonstration.password}</code>.
      </p>
      <ul className={styles.accountList}>
        {demonstration.accounts.map(({ username, role }) => (
          <li key={username}>
            <button type="button" className={styles.account} onClick={() => onChoose(username, demonstration.password)}>
              <span className={styles.accountName}>{username}</span>
              <span className={styles.accountRole}>{role}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
