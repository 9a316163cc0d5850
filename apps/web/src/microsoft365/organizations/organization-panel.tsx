import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { jobWizard, o365Repositories, organizationCertificate, organizationWizard } from '../../entities/places.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { ScreenLink, useGo } from '../../kit/screen-link.tsx';
import styles from '../microsoft365.module.css';
import { isEnding } from './certificate-days.tsx';
import { OrganizationFacts } from './organization-facts.tsx';
import { useOrganization } from './organizations.data.ts';

const DeleteOrganization = lazy(() => import('./delete-organization.tsx'));

/** One organization beside the list: how it is connected, and what can be done with it. */
export function OrganizationPanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <SidePanel noun="organization" read={useOrganization(id)} titleOf={({ name }) => name} onClose={onClose}>
      {(organization) => (
        <>
          <CertificateWarning organization={organization} />
          <Actions organization={organization} onDeleted={onClose} />
          <OrganizationFacts organization={organization} />
        </>
      )}
    </SidePanel>
  );
}

function CertificateWarning({ organization }: { organization: OrganizationDetail }) {
  const { companyId, id, engine, certificateDaysLeft } = organization;
  if (!hasFeature(engine, 'connection') || certificateDaysLeft === null || !isEnding(certificateDaysLeft)) return null;
  return (
    <p className={styles.warning} role="status">
      {certificateDaysLeft <= 0
        ? 'The certificate of its application has expired: backups fail. '
        : 'The certificate of its application expires soon: backups stop then. '}
      <ScreenLink to={organizationCertificate.at({ companyId, organizationId: id })}>Renew certificate</ScreenLink>
    </p>
  );
}

function Actions({ organization, onDeleted }: { organization: OrganizationDetail; onDeleted: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  const go = useGo();
  const { id, companyId, engine, certificateDaysLeft } = organization;
  const isConnectedHere = hasFeature(engine, 'connection');
  return (
    <div className={styles.actions}>
      <Button size="compact-sm" onClick={() => go(jobWizard.at({ step: '1' }, { organization: id }))}>
        Create job
      </Button>
      {isConnectedHere && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => go(organizationWizard.at({ _splat: '1' }, { organization: id }))}
        >
          Edit
        </Button>
      )}
      {isConnectedHere && certificateDaysLeft !== null && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => go(organizationCertificate.at({ companyId, organizationId: id }))}
        >
          Renew certificate
        </Button>
      )}
      <Button variant="default" size="compact-sm" onClick={() => go(o365Repositories.at({ organization: id }))}>
        Repositories
      </Button>
      {isConnectedHere && (
        <Button variant="default" color="red" size="compact-sm" onClick={() => setDeleting(true)}>
          Remove…
        </Button>
      )}
      <Suspense fallback={null}>
        {isDeleting && (
          <DeleteOrganization organization={organization} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
        )}
      </Suspense>
    </div>
  );
}
