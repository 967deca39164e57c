/**
 * A URL's origin, with 127.0.0.1 for `localhost`: the server listens only on 127.0.0.1, so another
 * user of the computer could listen on ::1 and get the key (P49).
 */
export function originOf(url: string): string {
  const parsed = new URL(url);
  if (/^(.+\.)?localhost$/.test(parsed.hostname)) parsed.hostname = '127.0.0.1';
  return parsed.origin;
}

/** Whether only this machine can reach `host`, as in HOST or a URL (P46 to P49). */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === '::1' || name === 'localhost' || name.endsWith('.localhost')) return true;
  return /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
