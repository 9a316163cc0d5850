export interface CommandOption {
  type: 'string' | 'boolean';
  multiple?: boolean;
  short?: string;
  /** Shown in the help; the word between angle brackets names the value. */
  help: string;
}
