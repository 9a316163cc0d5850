import { Button } from '@mantine/core';
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { useUser } from '../kit/portal.tsx';

const APPLICATIONS = [
  { path: '/monitoring', label: 'Monitoring' },
  { path: '/o365', label: 'Microsoft 365' },
];

/** Switches between the applications; only for users with o365_admin, and only if there is another application. */
export function AppSwitcher() {
  const user = useUser();
  const router = useRouter();
  const navigate = useNavigate();
  const address = useRouterState({ select: (state) => state.location.pathname });
  const isBuilt = (path: string) => Object.keys(router.routesByPath).some((route) => route.startsWith(`${path}/`));
  const built = APPLICATIONS.filter(({ path }) => isBuilt(path));
  if (built.length < 2 || !user.acl.some(({ role }) => role === 'o365_admin')) return null;
  const current = built.find(({ path }) => address.startsWith(path)) ?? built[0];
  return (
    <Panel
      label="Application"
      align="end"
      trigger={(props) => (
        <Button {...props} variant="subtle" color="gray" rightSection={<IconSelector size={14} aria-hidden />}>
          {current?.label}
        </Button>
      )}
    >
      {(close) =>
        built.map(({ path, label }) => (
          <MenuItem
            key={path}
            onClick={() => {
              close();
              void navigate({ to: path });
            }}
          >
            {label}
          </MenuItem>
        ))
      }
    </Panel>
  );
}
