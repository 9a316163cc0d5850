import { type AdminDashboard, CERTIFICATE_DAYS } from '@keepwatch/contract/administration/dashboard';
import { brands, companies, connectors, organizationCertificate } from '../entities/places.ts';
import grid from '../kit/dashboard/dashboard.module.css';
import { DashboardPanel, type Reading } from '../kit/dashboard/dashboard-panel.tsx';
import { Figure } from '../kit/facts/figure.tsx';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { useLive } from '../kit/live/use-live.ts';
import { useClock } from '../kit/portal.tsx';
import { ScreenLink } from '../kit/screen-link.tsx';
import { useAdminDashboard } from './admin-dashboard.data.ts';
import styles from './admin-dashboard.module.css';
import { QueuePanel, StoragePanel, VersionsPanel, WorkersPanel } from './installation-panels.tsx';

/** What there is to look after. Each figure leads to where it is worked on. */
export default function AdminDashboardScreen() {
  const reading = useAdminDashboard();
  useLive('connections.changed', ['administration', 'dashboard']);
  const { data } = reading;
  const installation = { ...reading, data: data?.installation ?? undefined };
  return (
    <div className={grid.dashboard}>
      <div className={grid.panels}>
        <TenantsPanel reading={reading} />
        <ConnectionsPanel reading={reading} />
        <CertificatesPanel reading={reading} />
        {data?.installation !== null && (
          <>
            <QueuePanel reading={installation} />
            <WorkersPanel reading={installation} />
            <StoragePanel reading={installation} />
            <VersionsPanel reading={installation} />
          </>
        )}
      </div>
    </div>
  );
}

interface PanelProps {
  reading: Reading<AdminDashboard>;
}

function TenantsPanel({ reading }: PanelProps) {
  return (
    <DashboardPanel title="Providers" columns={4} bodyPx={104} reading={reading}>
      {(data) => (
        <div className={styles.figures}>
          <Figure
            label="Brands"
            value={<ScreenLink to={brands.at()}>{formatCount(data.brands)}</ScreenLink>}
            hint="Brands that you look after"
          />
          <Figure
            label="Companies"
            value={<ScreenLink to={companies.at()}>{formatCount(data.companies)}</ScreenLink>}
            hint="Companies of your provider"
          />
        </div>
      )}
    </DashboardPanel>
  );
}

function ConnectionsPanel({ reading }: PanelProps) {
  return (
    <DashboardPanel
      title="Sources and other connections"
      columns={8}
      bodyPx={104}
      narrowBodyPx={180}
      reading={reading}
      emptyText={({ connections }) =>
        Object.values(connections).every((count) => count === 0) ? 'Nothing is connected yet.' : null
      }
    >
      {({ connections: { failing, works, untested, off } }) => (
        <div className={styles.figures}>
          <ConnectionFigure label="Failing" count={failing} health="failing" />
          <ConnectionFigure label="Works" count={works} health="works" />
          <ConnectionFigure label="Not tested yet" count={untested} health="untested" />
          <ConnectionFigure label="Switched off" count={off} health="off" />
        </div>
      )}
    </DashboardPanel>
  );
}

interface ConnectionFigureProps {
  label: string;
  count: number;
  health: keyof AdminDashboard['connections'];
}

function ConnectionFigure({ label, count, health }: ConnectionFigureProps) {
  const value = <ScreenLink to={connectors.at({ health: [health] })}>{formatCount(count)}</ScreenLink>;
  return <Figure label={label} value={value} />;
}

function CertificatesPanel({ reading }: PanelProps) {
  return (
    <DashboardPanel
      title="Certificates about to expire"
      columns={12}
      bodyPx={72}
      reading={reading}
      emptyText={({ certificates }) =>
        certificates.length === 0 ? `No certificate expires within ${CERTIFICATE_DAYS} days.` : null
      }
    >
      {({ certificates }) => (
        <ul className={styles.list}>
          {certificates.map(({ companyId, organizationId, organizationName, expiresAt }) => (
            <li key={organizationId} className={styles.line}>
              <ScreenLink to={organizationCertificate.at({ companyId, organizationId })}>{organizationName}</ScreenLink>
              <Expiry at={expiresAt} />
            </li>
          ))}
        </ul>
      )}
    </DashboardPanel>
  );
}

function Expiry({ at }: { at: string }) {
  const now = useClock().now();
  if (Date.parse(at) < now.getTime()) return <span className={styles.bad}>expired {formatRelative(at, now)}</span>;
  return <span className={styles.muted}>expires {formatDateTime(at)}</span>;
}
