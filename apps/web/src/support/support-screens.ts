/** One file for the browser: the screens are small, and a name of a file more is a part of the first load. */
export { Downloads } from './downloads.tsx';
export { LiveSupport } from './live.tsx';
export { SupportRequest } from './request.tsx';
