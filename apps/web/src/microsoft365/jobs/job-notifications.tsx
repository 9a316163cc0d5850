import { editJobNotification, type Microsoft365Job, readJobNotification } from '@keepwatch/contract/microsoft365/jobs';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextAreaField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import styles from '../microsoft365.module.css';
import { JOBS_KEY } from './jobs.data.ts';
import { NotifiedUsers } from './notified-users.tsx';

type Notification = CallReply<typeof readJobNotification>['data'];
type Changes = CallRequest<typeof editJobNotification>['body'];

interface JobNotificationsProps {
  job: Microsoft365Job;
  onClose: () => void;
}

/** Who is mailed when a job has run. */
export default function JobNotifications({ job, onClose }: JobNotificationsProps) {
  const { data, error, refetch } = useNotification(job.id);
  return (
    <Dialog isForm size="md" title={`Notifications of ${job.name}`} onClose={onClose}>
      {data === undefined && error !== null && (
        <ErrorState what="the notifications" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows rows={5} />}
      {data !== undefined && <NotificationForm job={job} before={data} onClose={onClose} />}
    </Dialog>
  );
}

function NotificationForm({ job, before, onClose }: JobNotificationsProps & { before: Notification }) {
  const { enabled, notifyOnFailure, userIds, externalAddresses } = before;
  const form = useCallForm(editJobNotification, {
    initial: { enabled, notifyOnFailure, userIds, addresses: externalAddresses.join('\n') },
    toBody: (values) => ({
      organizationId: job.organizationId,
      enabled: values.enabled,
      notifyOnFailure: values.notifyOnFailure,
      userIds: values.userIds,
      externalAddresses: addressesOf(values.addresses),
    }),
    send: useEditNotification(job).mutateAsync,
    onDone: onClose,
  });
  const { values } = form;
  const wrong = values.enabled ? addressesOf(values.addresses).find((address) => !ADDRESS.test(address)) : undefined;
  return (
    <Form
      form={form}
      actions={
        <SubmitButton form={form} disabled={wrong !== undefined}>
          Save
        </SubmitButton>
      }
    >
      <FlagField isFocused form={form} name="enabled" label="Mail the result of each run" />
      {values.enabled && (
        <>
          <FlagField form={form} name="notifyOnFailure" label="Only if something failed" />
          <NotifiedUsers
            companyId={job.companyId}
            userIds={values.userIds}
            onChange={(ids) => form.set('userIds', ids)}
          />
          <TextAreaField
            form={form}
            name="addresses"
            label="Other addresses"
            description="One a line. They need no account."
          />
          {wrong !== undefined && (
            <p className={styles.warning} role="status">
              “{wrong}” is no e-mail address.
            </p>
          )}
        </>
      )}
    </Form>
  );
}

/** Roughly: the contract has the last word. */
const ADDRESS = /^\S+@\S+\.\S+$/;

function addressesOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

function useNotification(jobId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...JOBS_KEY, 'notification', jobId],
    queryFn: ({ signal }) => api.request(readJobNotification, { params: { jobId } }, signal),
    select: (reply) => reply.data,
    gcTime: 0,
  });
}

function useEditNotification({ id: jobId, name }: Microsoft365Job) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Changes) => api.request(editJobNotification, { params: { jobId }, body }),
    onSuccess: () => toasts.success(`The notifications of ${name} have been changed.`),
    onSettled: () => queries.invalidateQueries({ queryKey: [...JOBS_KEY, 'notification', jobId] }),
  });
}
