import type { Organization } from '@keepwatch/contract/microsoft365/organizations';
import { o365Organizations } from '../../entities/places.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { useOrganizations } from './company-page.data.ts';
import styles from './company-section.module.css';
import { CompanySection } from './company-section.tsx';

/** From so many days on it is time to renew a certificate. */
const CERTIFICATE_DAYS = 30;

/** The organizations of Microsoft 365 that are backed up for the company. */
export function OrganizationsSection({ id }: { id: string }) {
  return (
    <CompanySection
      title="Microsoft 365"
      reading={useOrganizations(id)}
      actions={<ScreenLink to={o365Organizations.at()}>Organizations</ScreenLink>}
      empty={({ count }) => (count > 0 ? null : <p>No organization of this company is connected.</p>)}
    >
      {({ data }) => (
        <ul className={styles.list}>
          {data.map((organization) => (
            <OrganizationRow key={organization.id} organization={organization} />
          ))}
        </ul>
      )}
    </CompanySection>
  );
}

function OrganizationRow({ organization }: { organization: Organization }) {
  const { id, name, jobCount, lastBackuptime, certificateDaysLeft: daysLeft } = organization;
  const isEnding = daysLeft !== null && daysLeft <= CERTIFICATE_DAYS;
  const last = lastBackuptime === null ? 'never backed up' : `last backup ${formatDateTime(lastBackuptime)}`;
  return (
    <li>
      <span className={styles.what}>
        <ScreenLink to={o365Organizations.at({ open: id })}>{name}</ScreenLink>
        <span className={styles.muted}>
          {formatCounted(jobCount, 'job', 'jobs')} · {last}
        </span>
      </span>
      {isEnding && (
        <span className={styles.beside}>
          <span className={daysLeft <= 0 ? styles.now : styles.soon}>
            {daysLeft <= 0 ? 'Certificate expired' : `Certificate expires in ${formatCounted(daysLeft, 'day', 'days')}`}
          </span>
        </span>
      )}
    </li>
  );
}
