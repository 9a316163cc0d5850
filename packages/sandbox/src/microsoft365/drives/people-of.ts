import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/user.ts';
import type { People, Person } from './identity-set.ts';

/** The directory as files, sites and teams see it. */
export function peopleOf(directory: Directory): People {
  return {
    user: (key) => {
      const user =
        directory.findUser(key) ?? directory.users.find(({ mail }) => mail?.toLowerCase() === key.toLowerCase());
      return user && personOf(user);
    },
    users: () => directory.users.map(personOf),
    group: (id) => {
      const group = directory.findGroup(id);
      return group && { id: group.id, displayName: group.displayName };
    },
    applicationName: (applicationId) => `Application ${applicationId.slice(0, 8)}`,
  };
}

const personOf = ({ id, displayName, userPrincipalName, mail }: User): Person => ({
  id,
  displayName,
  userPrincipalName,
  mail: mail ?? userPrincipalName,
});
