import { outlook } from './applications/outlook.ts';
import { Explorer } from './explorer/explorer.tsx';

/** Restore portal: Outlook. */
export default function OutlookScreen() {
  return <Explorer application={outlook} />;
}
