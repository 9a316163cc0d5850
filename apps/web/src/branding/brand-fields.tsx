import { REPORTING_ROLES } from '@keepwatch/contract/branding/brands';
import type { ReactNode } from 'react';
import { Fact, Facts } from '../kit/facts/facts.tsx';
import { ChoiceField, ChoicesField, FlagField } from '../kit/form/choice-fields.tsx';
import { TextField } from '../kit/form/text-fields.tsx';
import { AccentField } from './accent-field.tsx';
import type { BrandForm } from './brand-draft.ts';
import styles from './branding.module.css';
import { LAYOUT_CHOICES } from './layout-choices.ts';

interface FieldsProps {
  form: BrandForm;
}

const REPORTING_CHOICES = REPORTING_ROLES.map((value) => ({ value, label: value === 'all' ? 'Everybody' : value }));

const SERVICE_LEVEL_FIELDS = [
  { level: 'free', label: 'Free' },
  { level: 'basic', label: 'Basic' },
  { level: 'advanced', label: 'Advanced' },
  { level: 'businessCritical', label: 'Business critical' },
  { level: 'licenseStorage', label: 'License & Storage' },
  { level: 'ACH', label: 'ACH' },
] as const;

/** Every field and switch of a brand. */
export function BrandFields({ form, canSetDomain }: FieldsProps & { canSetDomain: boolean }) {
  return (
    <>
      <Section title="Name and looks">
        <TextField form={form} name="name" label="Name" />
        {canSetDomain ? (
          <TextField
            form={form}
            name="domain"
            label="Host name"
            description="Who opens the portal at this name sees the brand."
          />
        ) : (
          <Facts>
            <Fact term="Host name">{form.values.domain}</Fact>
          </Facts>
        )}
        <TextField form={form} name="title" label="Title" description="In the browser’s tab." />
        <TextField form={form} name="sidebarTitle" label="Sidebar title" description="Beside the logo." />
        <ChoiceField form={form} name="layout" label="Layout of the sign-in page" choices={LAYOUT_CHOICES} />
        <AccentField form={form} />
      </Section>
      <Section title="Sign-in">
        <FlagField
          form={form}
          name="signsInByDirectory"
          label="With the Active Directory"
          description="Connect it on the page Connectors first. Accounts of the portal can still sign in."
        />
      </Section>
      <Section title="Support">
        <TextField form={form} name="supportEmail" label="Support e-mail" type="email" />
        <TextField form={form} name="supportPhone" label="Support phone" type="tel" />
        <FlagField form={form} name="hasSupportSection" label="Support in the sidebar" />
        <SupportLink form={form} flag="hasRequest" url="requestUrl" label="Request" />
        <SupportLink form={form} flag="hasLive" url="liveUrl" label="Live chat" />
        <SupportLink form={form} flag="hasDownloads" url="downloadsUrl" label="Downloads" />
        <SupportLink form={form} flag="hasFaq" url="faqUrl" label="FAQ" />
      </Section>
      <Section title="Footer">
        <FlagField form={form} name="hasFooter" label="Footer" />
        <FlagField form={form} name="hasSocialMedia" label="Social links in the footer" />
        <TextField form={form} name="twitter" label="Twitter" type="url" />
        <TextField form={form} name="facebook" label="Facebook" type="url" />
        <TextField form={form} name="youtube" label="YouTube" type="url" />
        <TextField form={form} name="linkedin" label="LinkedIn" type="url" />
      </Section>
      <Section title="Features">
        <FlagField form={form} name="hasRules" label="Rules" />
        <FlagField form={form} name="hasHints" label="Hints" />
        <FlagField form={form} name="hasReporting" label="Reports" />
        <ChoicesField form={form} name="reportingVisibleFor" label="Who sees the reports" choices={REPORTING_CHOICES} />
        <FlagField form={form} name="hasInvoiceAutomation" label="Invoices" />
        <FlagField form={form} name="collectsCards" label="Card payments" />
        <FlagField form={form} name="isStripeEnabled" label="Card payments through Stripe" />
        <TextField
          form={form}
          name="trackingUrl"
          label="Address of the usage tracking"
          description="A script that is loaded only for users who agreed to it. Empty: there is none."
          type="url"
        />
      </Section>
      <Section title="Microsoft 365">
        <TextField
          form={form}
          name="termsOfUse"
          label="Address of the terms of use"
          description="Users accept them before they begin. Empty: there are none."
          type="url"
        />
        {SERVICE_LEVEL_FIELDS.map(({ level, label }) => (
          <TextField
            key={level}
            form={form}
            name={`serviceLevels.${level}`}
            label={`Service level ${label}`}
            description="Its name where people register themselves. Empty: it is not offered."
          />
        ))}
        <TextField form={form} name="restoreUrl" label="Address of the end-user restore" type="url" />
        <FlagField form={form} name="hasOutlook" label="Restore from Outlook" />
        <FlagField form={form} name="hasOneDrive" label="Restore from OneDrive" />
        <FlagField form={form} name="hasSharePoint" label="Restore from SharePoint" />
        <FlagField form={form} name="hasTeams" label="Restore from Teams" />
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface SupportLinkProps extends FieldsProps {
  flag: 'hasRequest' | 'hasLive' | 'hasDownloads' | 'hasFaq';
  url: 'requestUrl' | 'liveUrl' | 'downloadsUrl' | 'faqUrl';
  label: string;
}

/** Its address is asked for where the link is there. */
function SupportLink({ form, flag, url, label }: SupportLinkProps) {
  return (
    <>
      <FlagField form={form} name={flag} label={label} />
      {form.values[flag] && <TextField form={form} name={url} label={`Address of ${label}`} type="url" />}
    </>
  );
}
