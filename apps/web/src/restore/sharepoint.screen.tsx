import { sharepoint } from './applications/sharepoint.ts';
import { Explorer } from './explorer/explorer.tsx';

/** Restore portal: SharePoint. */
export default function SharePointScreen() {
  return <Explorer application={sharepoint} />;
}
