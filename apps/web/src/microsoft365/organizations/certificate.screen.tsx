import { Button } from '@mantine/core';
import { o365Organizations, organizationCertificate } from '../../entities/places.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { useToasts } from '../../kit/portal.tsx';
import { useGo, usePlaceParams } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from '../microsoft365.module.css';
import { CertificateDays } from './certificate-days.tsx';
import { CodeSignIn } from './code-sign-in.tsx';
import { useDeviceCode, useOrganization, useRenewCertificate } from './organizations.data.ts';

/** Renews the certificates of an organization's applications, with the sign-in of an administrator. */
export default function CertificateScreen() {
  const { companyId, organizationId } = usePlaceParams(organizationCertificate);
  const { data, error, refetch } = useOrganization(organizationId);
  const code = useDeviceCode(data === undefined ? null : { organizationId });
  const renewal = useRenewCertificate();
  const go = useGo();
  const toasts = useToasts();
  if (error !== null && data === undefined)
    return <ErrorState what="the organization" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  const back = () => go(o365Organizations.at({ open: organizationId }));
  const renew = () => {
    const userCode = code.data?.userCode;
    if (userCode === undefined || renewal.isPending) return;
    const onSuccess = () => {
      toasts.success(`The certificate of ${data.name} has been renewed.`);
      back();
    };
    renewal.mutate({ companyId, organizationId, userCode }, { onSuccess });
  };
  return (
    <div className={styles.page}>
      <h2>{data.name}</h2>
      <Facts>
        {data.applications.map(({ applicationId, name, certificateExpiresAt }) => (
          <Fact key={applicationId} term={name}>
            {certificateExpiresAt === null ? null : `expires ${formatDateTime(certificateExpiresAt)}`}
          </Fact>
        ))}
        <Fact term="Days left">
          <CertificateDays daysLeft={data.certificateDaysLeft} />
        </Fact>
      </Facts>
      <p className={styles.note}>
        Each application gets a new certificate, made here. The old ones are removed once the new ones work, so no
        backup is interrupted.
      </p>
      <CodeSignIn read={code} attempt={{ ask: renew, isAsking: renewal.isPending, error: renewal.error }} />
      <div className={styles.actions}>
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
