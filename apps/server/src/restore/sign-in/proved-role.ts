/** What a sign-in proved: an administrator of the tenant may restore all of it, anyone else what is their own. */
export type ProvedRole = 'administrator' | 'owner';
