import { users as usersPlace } from '../../entities/places.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { SHOWN_MAX, useUsersToNotify } from './company-page.data.ts';
import styles from './company-section.module.css';
import { CompanySection } from './company-section.tsx';

/** Users of the portal who may be mailed about the company. */
export function UsersSection({ id }: { id: string }) {
  const reading = useUsersToNotify(id);
  const count = reading.data?.count ?? 0;
  return (
    <CompanySection
      title="Users to notify"
      note={count > SHOWN_MAX ? `${SHOWN_MAX} of ${formatCount(count)}` : undefined}
      reading={reading}
      actions={<ScreenLink to={usersPlace.at()}>Users</ScreenLink>}
      empty={(found) =>
        found.count > 0 ? null : <p>No user with an e-mail address sees this company. Add one under Users.</p>
      }
    >
      {({ users }) => (
        <ul className={styles.list}>
          {users.map(({ _id, name, email }) => (
            <li key={_id}>
              <span className={styles.what}>{name}</span>
              <a className={styles.beside} href={`mailto:${email}`}>
                {email}
              </a>
            </li>
          ))}
        </ul>
      )}
    </CompanySection>
  );
}
