import { teams } from './applications/teams.ts';
import { Explorer } from './explorer/explorer.tsx';

/** Restore portal: Teams. */
export default function TeamsScreen() {
  return <Explorer application={teams} />;
}
