import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** An import by the file `from`. `computed` is the source text of a computed path. */
export type Import = {
  from: string;
  to: { file: string } | { library: string } | { computed: string };
  /** Types only, absent at run time: `import type`, `export type … from`, `import('…').Name`. */
  types: boolean;
};

/** Calls whose first argument names a module. */
const CALLS = /^(vi\.(do|un|doUn)?[mM]ock|vi\.import(Actual|Mock)|require(\.resolve)?)$/;

/** Node's modules are one library, `node`. */
function resolve(from: string, specifier: string): Import['to'] {
  const [path = ''] = specifier.split('?');
  if (path.startsWith('#')) return { file: path.slice(1) };
  if (path.startsWith('.')) return { file: posix.join(posix.dirname(from), path) };
  if (path.startsWith('node:')) return { library: 'node' };
  const [scope = '', name = ''] = path.split('/');
  return { library: scope.startsWith('@') ? `${scope}/${name}` : scope };
}

/**
 * Every import of a source file: static, dynamic, re-exported or mocked, of types or values.
 * @param from the file's path from the root, with forward slashes
 * @throws Error if the source cannot be parsed
 */
export function importsOf(from: string, source: string): Import[] {
  const { program, errors } = parseSync(from, source);
  if (errors[0]) throw new Error(`${from}: ${errors[0].message}`);
  const found: Import[] = [];
  const add = (specifier: string, types: boolean) =>
    found.push({ from, to: resolve(from, specifier), types });
  const addExpression = (node: { type: string; start: number; end: number }) => {
    const text = source.slice(node.start, node.end);
    const literal = /^(['"`])([^$]*)\1$/.exec(text)?.[2];
    if (literal === undefined) found.push({ from, to: { computed: text }, types: false });
    else add(literal, false);
  };
  new Visitor({
    ImportDeclaration(node) {
      add(node.source.value, node.importKind === 'type');
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.exportKind === 'type');
    },
    ExportNamedDeclaration(node) {
      if (node.source) add(node.source.value, node.exportKind === 'type');
    },
    ImportExpression(node) {
      addExpression(node.source);
    },
    TSImportType(node) {
      add(node.source.value, true);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (first && CALLS.test(source.slice(callee.start, callee.end))) addExpression(first);
    },
  }).visit(program);
  return found;
}

/**
 * A directed graph's cycles: sorted lists of nodes that reach each other or themselves.
 * @param graph each node's targets
 */
export function circlesOf(graph: Map<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  function visit(node: string): number {
    const mine = order.size;
    order.set(node, mine);
    lowest.set(node, mine);
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const reached = order.has(next)
        ? path.includes(next)
          ? (order.get(next) ?? mine)
          : mine
        : visit(next);
      lowest.set(node, Math.min(lowest.get(node) ?? mine, reached));
    }
    if (lowest.get(node) === mine) {
      const circle = path.splice(path.indexOf(node));
      if (circle.length > 1 || [...(graph.get(node) ?? [])].includes(node))
        circles.push(circle.sort());
    }
    return lowest.get(node) ?? mine;
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** Every source file and style sheet that Git does not ignore, by path. */
export function readSources(root: string): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return new Map(
    listed
      .split('\n')
      .filter((file) => /\.(tsx?|mjs|js|css)$/.test(file) && existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}
