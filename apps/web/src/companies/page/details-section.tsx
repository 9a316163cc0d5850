import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import page from './company.module.css';
import { CompanyActions } from './company-actions.tsx';
import styles from './company-details.module.css';
import { CompanyFacts } from './company-facts.tsx';
import { CompanyLinks } from './company-links.tsx';
import { CompanySection } from './company-section.tsx';

interface DetailsSectionProps {
  company: CompanyDetail;
  onDeleted: () => void;
}

/** What the company is called elsewhere, how many jobs it has, and what can be done with it. */
export function DetailsSection({ company, onDeleted }: DetailsSectionProps) {
  return (
    <CompanySection isWide title="Details" reading={{ data: company, error: null, refetch: () => undefined }}>
      {() => (
        <>
          <div className={page.onScreen}>
            <CompanyLinks company={company} />
          </div>
          <div className={styles.facts}>
            <CompanyFacts company={company} />
          </div>
          <div className={page.onScreen}>
            <CompanyActions company={company} onDeleted={onDeleted} />
          </div>
        </>
      )}
    </CompanySection>
  );
}
