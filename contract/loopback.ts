/** Whether only this machine can reach `host`, written as in HOST or a URL (P46 to P49). */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === '::1' || name === 'localhost' || name.endsWith('.localhost')) return true;
  return /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
