import styles from '../sign-in.module.css';

/** What directories require of a password, unless they are set otherwise: which rules there are, only the directory knows. */
export function PasswordRequirements() {
  return (
    <p className={styles.hint}>
      Your directory sets the requirements. Usually: at least 8 characters; three of upper case, lower case, digits and
      symbols; without your name; none of your last passwords.
    </p>
  );
}
