import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ProofFacts } from '../proofs/proof-facts.tsx';
import { CertificateDays } from './certificate-days.tsx';
import { OrganizationApplications } from './organization-applications.tsx';
import { AUTH_WORDS, REGION_WORDS, servicesText } from './organization-words.ts';

/** What is known of an organization, without its secrets. */
export function OrganizationFacts({ organization }: { organization: OrganizationDetail }) {
  const { engine, exchangeOnlineSettings: settings, lastProof } = organization;
  const isConnectedHere = hasFeature(engine, 'connection');
  return (
    <>
      <Facts title="Backup">
        <Fact term="Company">{organization.companyName}</Fact>
        <Fact term="Services">{servicesText(organization)}</Fact>
        <Fact term="Jobs">{formatCount(organization.jobCount)}</Fact>
        <Fact term="First backup">{formatDateTime(organization.firstBackuptime)}</Fact>
        <Fact term="Last backup">{formatDateTime(organization.lastBackuptime)}</Fact>
        {hasFeature(engine, 'restore') && (
          <Fact term="Restore">
            {organization.canRestore ? 'Ready' : 'No application may write: edit the organization to add one'}
          </Fact>
        )}
      </Facts>
      {hasFeature(engine, 'proofs') && (
        <ProofFacts
          proof={lastProof}
          jobs={`${formatCount(lastProof?.jobs ?? 0)} of ${formatCount(organization.jobCount)}`}
        />
      )}
      <Facts title="Connection">
        <Fact term="Microsoft name">{organization.officeName}</Fact>
        <Fact term="Region">{REGION_WORDS[organization.region]}</Fact>
        <Fact term="Sign-in">{AUTH_WORDS[organization.authType]}</Fact>
        {settings.account !== null && <Fact term="Account">{settings.account}</Fact>}
        {isConnectedHere && (
          <Fact term="Certificate">
            <CertificateDays daysLeft={organization.certificateDaysLeft} />
          </Fact>
        )}
      </Facts>
      {isConnectedHere && <OrganizationApplications organization={organization} />}
    </>
  );
}
