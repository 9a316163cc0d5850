import {
  type BrandSettings,
  editBrand,
  type ImageKind,
  listBrands,
  removeBrandImage,
  removeChatSecret,
  setChatSecret,
  storeBrandImage,
} from '@keepwatch/contract/branding/brands';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../kit/api.ts';
import { useApi, useToasts } from '../kit/portal.tsx';

const KEY = ['brands', 'list'];

/** The brands that the user looks after. */
export function useBrands() {
  const api = useApi();
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => api.request(listBrands, {}, signal) });
}

export function useSaveBrand(id: number) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BrandSettings) => api.request(editBrand, { params: { id }, body }),
    onSuccess: ({ data }) => toasts.success(`${data.name} is saved. People see it when they next open the portal.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Sets the secret of the live chat. Why one is refused is said in the form. */
export function useSetChatSecret(id: number) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof setChatSecret>['body']) =>
      api.request(setChatSecret, { params: { id }, body }),
    onSuccess: ({ data }) => toasts.success(`The secret of the live chat of ${data.name} is saved.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemoveChatSecret(id: number) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(removeChatSecret, { params: { id } }),
    onSuccess: ({ data }) => toasts.success(`The secret of the live chat of ${data.name} is removed.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Stores a file as an image of a brand, or takes the image away (`null`). */
export function useBrandImage(id: number, kind: ImageKind) {
  const api = useApi();
  const queries = useQueryClient();
  const params = { id, kind };
  return useMutation({
    mutationFn: async (file: File | null) =>
      file === null
        ? api.request(removeBrandImage, { params })
        : api.request(storeBrandImage, { params, body: { content: await base64Of(file) } }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // A data address: its type, a comma, and the bytes in base64.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
