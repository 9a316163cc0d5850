/** Whose something is. */
export interface UserKey {
  providerId: number;
  id: string;
}
