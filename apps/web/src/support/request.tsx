import { requestSupport } from '@keepwatch/contract/support/support';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { TextAreaField, TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { useBranding, useUser } from '../kit/portal.tsx';
import { OutsideLink } from './outside-link.tsx';
import { useRequestSupport } from './support.data.ts';
import styles from './support.module.css';

type SentRequest = CallReply<typeof requestSupport>['data'];

/** Asks the support of the brand by mail. */
export function SupportRequest() {
  const { name, features } = useBranding();
  const [sent, setSent] = useState<SentRequest | null>(null);
  const { url } = features.supportSection.links.request;
  return (
    <div className={styles.page}>
      {sent === null ? <RequestForm onSent={setSent} /> : <Sent {...sent} onAgain={() => setSent(null)} />}
      {url !== undefined && <OutsideLink url={url}>Open the support portal of {name}</OutsideLink>}
    </div>
  );
}

function RequestForm({ onSent }: { onSent: (sent: SentRequest) => void }) {
  const { name } = useBranding();
  const { email } = useUser();
  const page = usePageBefore();
  const form = useCallForm(requestSupport, {
    initial: { subject: '', message: '', page },
    send: useRequestSupport().mutateAsync,
    onDone: ({ data }) => onSent(data),
  });
  return (
    <>
      <p className={styles.hint}>
        {name} gets your name{email === '' ? '' : ' and e-mail address'}, your company, the version of the portal and
        your browser with it.{' '}
        {email === ''
          ? 'Your account has no e-mail address: write how you can be reached.'
          : `A copy goes to ${email}.`}
      </p>
      <Form form={form} actions={<SubmitButton form={form}>Send request</SubmitButton>}>
        <TextField form={form} name="subject" label="Subject" />
        <TextAreaField form={form} name="message" label="How can we help?" rows={10} />
        <TextField
          form={form}
          name="page"
          label="Page"
          description="The page of the portal that this is about, such as /monitoring/dashboard."
        />
      </Form>
    </>
  );
}

/** The address from which the user came here; none where the visit began here. */
function usePageBefore(): string {
  const router = useRouter();
  return useState(() => {
    const { resolvedLocation, location } = router.state;
    return resolvedLocation === undefined || resolvedLocation.pathname === location.pathname
      ? ''
      : resolvedLocation.href;
  })[0];
}

function Sent({ sentTo, copyTo, onAgain }: SentRequest & { onAgain: () => void }) {
  return (
    <div className={styles.section} role="status">
      <h2>Request sent</h2>
      <p className={styles.hint}>
        It is on its way to {sentTo}.{' '}
        {copyTo === null
          ? 'No copy is mailed, as your account has no e-mail address.'
          : `A copy is mailed to ${copyTo}; answer that to add something.`}
      </p>
      <div>
        <Button variant="default" onClick={onAgain}>
          Write another request
        </Button>
      </div>
    </div>
  );
}
