/**
 * Whether a host name or address, as in HOST or a URL, is reachable only from this machine. The
 * server (P46 to P48) and the command line (P49) use it.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === '::1' || name === 'localhost' || name.endsWith('.localhost')) return true;
  return /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
