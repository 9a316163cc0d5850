import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { Link } from '@tanstack/react-router';
import { useUser } from '../kit/portal.tsx';
import { Notice } from '../kit/states/notice.tsx';

/** Where a failed permission check leads (specification "portal", part 4). */
export default function ForbiddenScreen() {
  const user = useUser();
  const roles = user.acl.map((entry) => entry.role).join(', ');
  return (
    <Notice
      title="You may not open this page"
      text={`Your account ${user.username} has the roles: ${roles === '' ? 'none' : roles}. Ask an administrator of your portal if you need this page.`}
      icon={<IconLock size={28} aria-hidden />}
    >
      <Link to="/">Go to the start page</Link>
    </Notice>
  );
}
