import type { TestApp } from './test-app.ts';

type Query = { text: string; values: unknown[] };

function collectQueries(t: TestApp, about: RegExp): Query[] {
  const asked: Query[] = [];
  t.pool.on('acquire', (client) => {
    if ('watched' in client) return;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      watched: true,
      query: (...args: unknown[]) => {
        const one = args[0] as Query | string;
        if (typeof one === 'object' && about.test(one.text)) asked.push(one);
        return query(...args);
      },
    });
  });
  return asked;
}

/**
 * Watches read-only queries that match `about`. The returned function runs `work` and returns how
 * many pages each query reads when EXPLAIN runs it again.
 */
export function watchQueries(
  t: TestApp,
  about: RegExp,
): (work: () => Promise<unknown>) => Promise<{ text: string; pages: number }[]> {
  const asked = collectQueries(t, about);
  return async (work) => {
    asked.length = 0;
    await work();
    const costs = [];
    for (const { text, values } of [...asked]) {
      const { rows } = await t.pool.query(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      const { Plan } = rows[0]['QUERY PLAN'][0];
      costs.push({ text, pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'] });
    }
    return costs;
  };
}

/** Watches an app's queries. The returned function runs `work` and returns how many it sends. */
export function countQueries(t: TestApp): (work: () => Promise<unknown>) => Promise<number> {
  const asked = collectQueries(t, /./);
  return async (work) => {
    asked.length = 0;
    await work();
    return asked.length;
  };
}

type Node = {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Rows that a scan reads from a table or index; 0 for other nodes. */
function rowsOf(node: Node): number {
  if (!/^(Seq|Index|Index Only|Bitmap Heap|Bitmap Index) Scan$/.test(node['Node Type'])) return 0;
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

/** Statements that read no table, or cannot run twice. */
const NOT_EXPLAINED = /pg_advisory_xact_lock|pg_notify|insert into (games|player_achievements)/;

/**
 * Watches all queries of an app. The returned function runs `work` and returns how many rows each
 * query reads, in total and by scan, when EXPLAIN runs it again in a transaction that is rolled
 * back.
 */
export function readRows(
  t: TestApp,
): (work: () => Promise<unknown>) => Promise<{ text: string; rows: number; scans: string[] }[]> {
  const asked = collectQueries(t, /^\s*(select|with|insert|update|delete)\b/i);
  return async (work) => {
    asked.length = 0;
    await work();
    const costs = [];
    const client = await t.pool.connect();
    try {
      for (const { text, values } of asked.filter(({ text }) => !NOT_EXPLAINED.test(text))) {
        await client.query('begin');
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
        await client.query('rollback');
        const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
        costs.push({
          text,
          rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
          scans: nodes
            .filter((node) => rowsOf(node) > 0)
            .map((node) => `${node['Index Name'] ?? node['Relation Name']}: ${rowsOf(node)}`),
        });
      }
    } finally {
      client.release();
    }
    return costs;
  };
}
