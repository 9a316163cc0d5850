import { SidePanel } from '../kit/list/side-panel.tsx';
import { useCompany } from './companies.data.ts';
import { CompanyActions } from './company-actions.tsx';
import { CompanyFacts } from './company-facts.tsx';
import { CompanyLinks } from './company-links.tsx';

/** One company beside the list: its contact data, its names elsewhere, and links to its runs. */
export function CompanyPanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <SidePanel noun="company" read={useCompany(id)} titleOf={(company) => company.name} onClose={onClose}>
      {(company) => (
        <>
          <CompanyLinks company={company} />
          <CompanyFacts company={company} />
          <CompanyActions company={company} onDeleted={onClose} />
        </>
      )}
    </SidePanel>
  );
}
