export interface CommandOption {
  type: 'string' | 'boolean';
  multiple?: boolean;
  short?: string;
  /** Shown in the help; what stands between angle brackets names the value. */
  help: string;
}
