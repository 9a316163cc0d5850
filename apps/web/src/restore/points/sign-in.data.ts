import { confirmRestoreCode, requestRestoreCode } from '@keepwatch/contract/restore/sessions';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReceivedCode } from '../../entities/device-code.tsx';
import { useApi, useClock } from '../../kit/portal.tsx';
import { type OrganizationRef, RESTORE_KEY } from './points.data.ts';

const whereOf = ({ id, companyId }: OrganizationRef) => ({ organizationId: id, companyId });

/** A code with which the person proves that they may restore. `refetch` gets another one. */
export function useRestoreCode(organization: OrganizationRef) {
  const api = useApi();
  const clock = useClock();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'code', organization.id],
    queryFn: async ({ signal }): Promise<ReceivedCode> => {
      const { data } = await api.request(requestRestoreCode, { body: whereOf(organization) }, signal);
      return { ...data, endsAt: clock.now().getTime() + data.expiresIn * 1_000 };
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A code that was used is of no use to the next sign-in.
    gcTime: 0,
    refetchOnReconnect: false,
    retry: false,
  });
}

export type RestoreToken = Awaited<ReturnType<ReturnType<typeof useConfirmCode>['mutateAsync']>>;

/** Asks whether the code was entered, and by whom. */
export function useConfirmCode(organization: OrganizationRef) {
  const api = useApi();
  return useMutation({
    mutationFn: async (userCode: string) =>
      (await api.request(confirmRestoreCode, { body: { ...whereOf(organization), userCode } })).data,
  });
}
