import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import type { Act } from '../explorer/acting.tsx';
import type { RestoreApplication } from '../explorer/application.ts';
import { type Entry, entryIn, objectEntry } from '../explorer/entry.ts';
import type { OpenItem } from '../explorer/path.ts';
import { AtPoint } from '../points/at-point.tsx';
import type { OrganizationRef } from '../points/points.data.ts';
import type { RestoreToken } from '../points/sign-in.data.ts';
import { PreviewPanel } from './preview-panel.tsx';

interface OpenPreviewProps {
  application: RestoreApplication;
  organization: OrganizationRef;
  session: RestoreSession;
  item: OpenItem;
  /** Of the mailbox, OneDrive, site or team that it is in, where it is known. */
  objectName: string | undefined;
  /** The restore point that has it, where that is not the one that is looked at. */
  at: string | undefined;
  onSignedIn: (token: RestoreToken) => void;
  onAct: (act: Act) => void;
  onClose: () => void;
}

/** The open item as it is at its restore point, and what is done with it. */
export function OpenPreview({ application, item, objectName, at, onAct, onClose, ...given }: OpenPreviewProps) {
  return (
    <AtPoint {...given} at={at} onClose={onClose}>
      {({ id }) => (
        <PreviewPanel
          application={application}
          sessionId={id}
          item={item}
          onClose={onClose}
          onAct={({ name, ...act }) =>
            onAct({ ...(at === undefined ? {} : { at }), ...act, entries: [entryOf(item, name, objectName ?? name)] })
          }
        />
      )}
    </AtPoint>
  );
}

function entryOf({ type, objectId, itemId, within }: OpenItem, name: string, objectName: string): Entry {
  return { ...entryIn(objectEntry(type, objectId, objectName), type, itemId, name), within };
}
