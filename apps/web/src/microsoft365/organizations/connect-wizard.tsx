import { createOrganization } from '@keepwatch/contract/microsoft365/organizations';
import { useEffect, useRef, useState } from 'react';
import { useCompanyNames } from '../../entities/company-filter.data.ts';
import { isPending } from '../../entities/device-code.tsx';
import { organizationWizard } from '../../entities/places.ts';
import { useBranding, useToasts } from '../../kit/portal.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import { useWizardForm, type WizardForm } from '../../kit/wizard/use-wizard-form.ts';
import { type StepAddress, Wizard } from '../../kit/wizard/wizard.tsx';
import { connectSteps } from './connect-steps.tsx';
import { MissingPermissions } from './missing-permissions.tsx';
import {
  bodyOf,
  defaultApplicationName,
  draftOf,
  needsDeviceCode,
  type OrganizationDraft,
  SECRETS,
} from './organization-draft.ts';
import { type CodeFor, type Connected, useDeviceCode, useSaveOrganization } from './organizations.data.ts';
import { addressOf, keyOf, signInOf } from './wizard-address.ts';

interface ConnectWizardProps {
  /** Of the organization that is changed; `null`: a new one. */
  id: string | null;
  /** The step and the sign-in of the address: `3/modern`. */
  address: string;
  initial: OrganizationDraft;
  onDone: (connected: Connected) => void;
}

/** The steps that the device code comes after. */
const WAY_TO_CODE = ['1', '3', '4', '5'];

/** The form of an organization in its steps. */
export function ConnectWizard({ id, address, initial, onDone }: ConnectWizardProps) {
  const [connected, setConnected] = useState<Connected | null>(null);
  const branding = useBranding();
  const toasts = useToasts();
  const save = useSaveOrganization(id);
  const [sentFrom, setSentFrom] = useState(address);
  const [code, setCode] = useState('');
  const [companyId, setCompanyId] = useState(initial.companyObjId);
  const companyName = useCompanyNames(companyId === null ? [] : [companyId])(companyId ?? '');
  const applicationName = defaultApplicationName(branding.name, companyId === null ? '' : companyName);
  const form = useWizardForm<typeof createOrganization, OrganizationDraft, Connected>(
    createOrganization,
    {
      initial,
      secrets: SECRETS,
      toBody: (values) => bodyOf(values, { userCode: code, applicationName }),
      send: (body) => {
        setSentFrom(address);
        return save.mutateAsync(body);
      },
      onDone: (reply) => {
        toasts.success(`${reply.data.name} is ${id === null ? 'connected' : 'saved'}.`);
        if (reply.missing.length > 0) setConnected(reply);
        else onDone(reply);
      },
    },
    {
      key: `organization ${id ?? 'new'}`,
      isWithin: (path) => /\/o365\/organizations\/new\/\d/.test(path),
      // Who is prompted to connect the first one comes straight to the code (specification "portal", part 4).
      visited: address === '5/modern' ? WAY_TO_CODE : [],
    },
  );
  const { values } = form;
  if (values.companyObjId !== companyId) setCompanyId(values.companyObjId);
  const read = useDeviceCode(address === '5/modern' && needsDeviceCode(values) ? codeFor(id, values) : null);
  if (read.data !== undefined && read.data.userCode !== code) setCode(read.data.userCode);
  const openAddress = useOpenAddress(id);
  useSignInOfAddress(form, address);
  const at: StepAddress = {
    step: keyOf(address),
    open: (key, options) => openAddress(addressOf(key, values), options),
  };
  /** Another sign-in has the step at another address. */
  const choose = (signIn: Partial<OrganizationDraft>) => {
    for (const [name, value] of Object.entries(signIn)) form.set(name, value);
    openAddress(addressOf(at.step, { ...values, ...signIn }));
  };
  const checked = (reply: Connected) => {
    if (reply.missing.length > 0) return setConnected(reply);
    toasts.success('Nothing is missing any more.');
    onDone(reply);
  };
  if (connected !== null)
    return <Lacking connected={connected} onContinue={() => onDone(connected)} onChecked={checked} />;
  return (
    <Wizard
      // A code that was not entered yet is waited for, and what one way was refused for says nothing about another.
      form={isPending(form.failure) || sentFrom !== address ? { ...form, failure: null } : form}
      steps={connectSteps({ form, read, applicationName, choose, isNew: id === null })}
      action={id === null ? 'Connect organization' : 'Save organization'}
      at={at}
    />
  );
}

/** Connected, but not with all permissions: saved once more as it is, the application is checked again. */
function Lacking(props: Pick<Parameters<typeof MissingPermissions>[0], 'connected' | 'onContinue' | 'onChecked'>) {
  const { data } = props.connected;
  const save = useSaveOrganization(data.id);
  const check = () => save.mutateAsync(bodyOf(draftOf(data), { userCode: '', applicationName: '' }));
  return <MissingPermissions {...props} check={check} />;
}

function codeFor(id: string | null, { companyObjId, region }: OrganizationDraft): CodeFor | null {
  if (id !== null) return { organizationId: id };
  return companyObjId === null ? null : { region, companyId: companyObjId };
}

/** Every step has an address of its own. */
function useOpenAddress(id: string | null) {
  const go = useGo();
  const search = id === null ? {} : { organization: id };
  return (address: string, options: { replace?: boolean } = {}) =>
    go(organizationWizard.at({ _splat: address }, search), options);
}

/** Going back in the history goes back to the sign-in that was chosen then. */
function useSignInOfAddress({ set }: WizardForm<OrganizationDraft>, address: string): void {
  const latest = useRef(set);
  useEffect(() => {
    latest.current = set;
  });
  useEffect(() => {
    for (const [name, value] of Object.entries(signInOf(address))) latest.current(name, value);
  }, [address]);
}
