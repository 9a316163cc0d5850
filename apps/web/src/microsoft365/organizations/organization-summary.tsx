import { useCompanyNames } from '../../entities/company-filter.data.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import type { OrganizationDraft } from './organization-draft.ts';
import { REGION_WORDS, servicesText } from './organization-words.ts';

/** What will be connected, before it is. */
export function OrganizationSummary({
  values,
  applicationName,
}: {
  values: OrganizationDraft;
  applicationName: string;
}) {
  const { companyObjId, application, exchangeOnlineSettings: settings } = values;
  const nameOf = useCompanyNames(companyObjId === null ? [] : [companyObjId]);
  const isNew = application === 'new';
  return (
    <Facts>
      {companyObjId !== null && <Fact term="Company">{nameOf(companyObjId)}</Fact>}
      <Fact term="Services">{servicesText(values)}</Fact>
      <Fact term="Region">{REGION_WORDS[values.region]}</Fact>
      <Fact term={isNew ? 'New application' : 'Application'}>
        {isNew ? settings.newApplicationName || applicationName : settings.applicationId}
      </Fact>
    </Facts>
  );
}
