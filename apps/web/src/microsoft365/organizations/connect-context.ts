import type { WizardForm } from '../../kit/wizard/use-wizard-form.ts';
import type { OrganizationDraft } from './organization-draft.ts';
import type { useDeviceCode } from './organizations.data.ts';

/** What the steps have from their wizard. */
export interface ConnectContext {
  form: WizardForm<OrganizationDraft>;
  read: ReturnType<typeof useDeviceCode>;
  applicationName: string;
  /** Chooses another way to sign in, in the same step. */
  choose: (signIn: Partial<OrganizationDraft>) => void;
  isNew: boolean;
}
