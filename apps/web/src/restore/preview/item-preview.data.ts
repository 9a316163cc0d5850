import { downloadItemPart, previewItem, showItemPicture } from '@keepwatch/contract/restore/previews';
import { useMutation, useQuery } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { downloads } from '../../kit/save-file.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

/** What of a session is looked at: an item, one of its versions, or one of its parts. */
export interface Looked {
  objectId: string;
  itemId: string;
  version?: number;
  part?: string;
}

/** Each look is recorded: nothing is read again while it is open. */
const READ_ONCE = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export function usePreview(sessionId: string, of: Looked) {
  const api = useApi();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'preview', sessionId, of],
    queryFn: ({ signal }) =>
      api.request(previewItem, { params: { restoreSessionId: sessionId }, query: { ...of } }, signal),
    select: (reply) => reply.data,
    ...READ_ONCE,
  });
}

/** A picture as data: the policy of the pages allows no other address that is made in the browser. */
export function usePicture(sessionId: string, of: Looked & { part: string }) {
  const api = useApi();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'picture', sessionId, of],
    queryFn: async ({ signal }) => {
      const params = { restoreSessionId: sessionId };
      return dataOf(await api.request(showItemPicture, { params, query: { ...of } }, signal));
    },
    gcTime: 0,
    ...READ_ONCE,
  });
}

function dataOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}

/** Saves one part of an item as a file. */
export function useSavePart(sessionId: string) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async ({ of, name }: { of: Looked & { part: string }; name: string }) => {
      const params = { restoreSessionId: sessionId };
      const bytes = await api.request(downloadItemPart, { params, query: { ...of } });
      await downloads({ name, type: bytes.type }).save(async () => bytes.stream());
    },
    onError: (error) => toasts.error(messageOf(error)),
  });
}
