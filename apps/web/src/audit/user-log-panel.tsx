import type { UserLog } from '@keepwatch/contract/audit/user-logs';
import { useAccountPlaces } from '../entities/account-places.ts';
import { Fact, Facts } from '../kit/facts/facts.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import { SidePanel } from '../kit/list/side-panel.tsx';
import { ScreenLink } from '../kit/screen-link.tsx';
import { changedFields } from './changed-fields.ts';
import { kindText, targetText } from './user-log-columns.tsx';
import styles from './user-log-panel.module.css';
import { useUserLog } from './user-logs.data.ts';

/** One entry beside the list: all that is known of it, and what it changed. */
export function UserLogPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { userLogs } = useAccountPlaces();
  return (
    <SidePanel noun="entry" read={useUserLog(id)} titleOf={({ actionText }) => actionText} onClose={onClose}>
      {(entry) => (
        <>
          <Facts>
            <Fact term="When">{formatDateTime(entry.at)}</Fact>
            <Fact term="User">
              {entry.userId === null ? (
                entry.username
              ) : (
                <ScreenLink to={userLogs.at({ user: [entry.userId] })}>{entry.username}</ScreenLink>
              )}
            </Fact>
            {entry.asUserId !== null && (
              <Fact term="As user">
                <ScreenLink to={userLogs.at({ user: [entry.asUserId] })}>{entry.asUsername}</ScreenLink>
              </Fact>
            )}
            {entry.apiKey !== null && <Fact term="API key">{entry.apiKey}</Fact>}
            {entry.targetKind !== null && (
              <Fact term={kindText(entry.targetKind)}>
                <TargetLink entry={entry} />
              </Fact>
            )}
            <Fact term="Address">{entry.address}</Fact>
          </Facts>
          <Changes entry={entry} />
        </>
      )}
    </SidePanel>
  );
}

function TargetLink({ entry }: { entry: UserLog }) {
  const { userLogs } = useAccountPlaces();
  if (entry.targetId === null) return targetText(entry);
  return <ScreenLink to={userLogs.at({ target: [entry.targetId] })}>{targetText(entry)}</ScreenLink>;
}

function Changes({ entry: { before, after } }: { entry: UserLog }) {
  const fields = changedFields(before, after);
  if (fields.length === 0) return null;
  return (
    <table className={styles.changes}>
      <caption>Changes</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">{field.name}</th>
            <td>{field.before === null ? '–' : <del>{field.before}</del>}</td>
            <td>{field.after === null ? '–' : <ins>{field.after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
