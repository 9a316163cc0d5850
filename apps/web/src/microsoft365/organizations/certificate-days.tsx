import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import { Badge } from '../../kit/badges/badge.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';

/** From so many days on it is time to renew a certificate. */
export const WARNING_DAYS = 30;

/** Whether the certificate ends soon, or has ended. */
export function isEnding(daysLeft: number | null): boolean {
  return daysLeft !== null && daysLeft <= WARNING_DAYS;
}

/** How long the certificate of an organization is still valid. */
export function CertificateDays({ daysLeft }: { daysLeft: number | null }) {
  if (daysLeft === null) return '–';
  if (daysLeft <= 0) return <Badge tone="failed" icon={IconCircleX} word="Expired" />;
  const text = formatCounted(daysLeft, 'day', 'days');
  return isEnding(daysLeft) ? <Badge tone="warning" icon={IconAlertTriangle} word={`${text} left`} /> : text;
}
