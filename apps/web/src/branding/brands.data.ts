import {
  type BrandSettings,
  editBrand,
  type ImageKind,
  listBrands,
  removeBrandImage,
  storeBrandImage,
} from '@keepwatch/contract/branding/brands';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
