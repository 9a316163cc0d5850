import { onedrive } from './applications/onedrive.ts';
import { Explorer } from './explorer/explorer.tsx';

/** Restore portal: OneDrive. */
export default function OneDriveScreen() {
  return <Explorer application={onedrive} />;
}
