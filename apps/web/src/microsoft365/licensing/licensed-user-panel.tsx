import type { LicensedUser } from '@keepwatch/contract/microsoft365/licensing';
import { o365Organizations } from '../../entities/places.ts';
import type { DayRange } from '../../kit/date-range/date-range.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDay } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from '../microsoft365.module.css';
import { PART_TEXTS } from './licensed-user-columns.tsx';
import { useLicensedUser } from './licensing.data.ts';

interface LicensedUserPanelProps {
  id: string;
  days: DayRange;
  onClose: () => void;
}

/** One licensed user beside the list: why the user is licensed, and what is stored. */
export function LicensedUserPanel({ id, days, onClose }: LicensedUserPanelProps) {
  return (
    <SidePanel noun="licensed user" read={useLicensedUser(id, days)} titleOf={({ name }) => name} onClose={onClose}>
      {(user) => (
        <div className={styles.panel}>
          <p className={styles.note}>{whyText(user)}</p>
          <UserFacts user={user} />
          <StoredFacts user={user} />
        </div>
      )}
    </SidePanel>
  );
}

function whyText({ lastBackupOn, licensedUntil }: LicensedUser): string {
  const until = formatDay(licensedUntil);
  return `Last backed up on ${formatDay(lastBackupOn)}: the licence is used until ${until}, and longer with each further backup.`;
}

function UserFacts({ user }: { user: LicensedUser }) {
  return (
    <Facts>
      <Fact term="Address">{user.address}</Fact>
      <Fact term="Organization">
        <ScreenLink to={o365Organizations.at({ open: user.organizationId })}>{user.organizationName}</ScreenLink>
      </Fact>
      <Fact term="Company">{user.companyName}</Fact>
      <Fact term="Licensed from">{formatDay(user.licensedFrom)}</Fact>
      <Fact term="Licensed until">{formatDay(user.licensedUntil)}</Fact>
    </Facts>
  );
}

function StoredFacts({ user }: { user: LicensedUser }) {
  const textOf = (bytes: number | null) => (bytes === null ? 'Not backed up' : formatBytes(bytes));
  return (
    <Facts title="Stored">
      <Fact term={PART_TEXTS.mailbox}>{textOf(user.mailboxBytes)}</Fact>
      <Fact term={PART_TEXTS.archive}>{textOf(user.archiveBytes)}</Fact>
      <Fact term={PART_TEXTS.drive}>{textOf(user.driveBytes)}</Fact>
      <Fact term={PART_TEXTS.chats}>{textOf(user.chatsBytes)}</Fact>
      <Fact term="Together">{formatBytes(user.bytes)}</Fact>
    </Facts>
  );
}
