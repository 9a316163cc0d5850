/** Whether people open the portal by https. */
export function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
