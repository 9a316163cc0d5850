/** A job where it is spoken of: `Nightly (Acme)`. Many companies have one of the same name. */
export function nameOfJob({ jobName, companyName }: { jobName: string; companyName: string | null }): string {
  return `${jobName} (${companyName ?? 'no company'})`;
}
