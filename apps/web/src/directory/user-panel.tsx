import { type ListedUser, USER_STATE_TEXTS } from '@keepwatch/contract/directory/users';
import { useAccountPlaces } from '../entities/account-places.ts';
import { companyPage } from '../entities/places.ts';
import { Fact, Facts } from '../kit/facts/facts.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import { SidePanel } from '../kit/list/side-panel.tsx';
import { ScreenLink } from '../kit/screen-link.tsx';
import { SecondFactorsText } from './second-factors-text.tsx';
import { UserActions } from './user-actions.tsx';
import { rolesText } from './user-columns.tsx';
import { useUser } from './users.data.ts';

/** One user beside the list: all that is known of the user, and the way to what the user did. */
export function UserPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { userLogs } = useAccountPlaces();
  return (
    <SidePanel noun="user" read={useUser(id)} titleOf={({ name }) => name} onClose={onClose}>
      {(user) => (
        <>
          <Facts>
            <Fact term="User name">{user.username}</Fact>
            <Fact term="E-mail">{user.email}</Fact>
            <Fact term="Roles">{rolesText(user)}</Fact>
            <Fact term="Password">{passwordText(user)}</Fact>
            <Fact term="Second factors">
              <SecondFactorsText id={id} />
            </Fact>
            <Fact term="State">{USER_STATE_TEXTS[user.state]}</Fact>
            <Fact term="Added">{formatDateTime(user.createdAt)}</Fact>
            <Fact term="Companies">{companyLinks(user)}</Fact>
            <Fact term="Activity">
              <ScreenLink to={userLogs.at({ user: [id] })}>What this user did</ScreenLink>
            </Fact>
          </Facts>
          <UserActions user={user} onDeleted={onClose} />
        </>
      )}
    </SidePanel>
  );
}

/** Who keeps the password: only there can it be changed. */
function passwordText({ authType, signsInElsewhere }: ListedUser) {
  if (authType === 'ad') return 'In the directory';
  return signsInElsewhere ? 'With the identity provider' : 'In this portal';
}

function companyLinks({ companies: reach }: ListedUser) {
  if (reach === null) return 'All';
  if (reach.length === 0) return 'None';
  return (
    <ul>
      {reach.map(({ _id, name }) => (
        <li key={_id}>
          <ScreenLink to={companyPage.at({ id: _id })}>{name}</ScreenLink>
        </li>
      ))}
    </ul>
  );
}
