import type { TestApp } from './test-app.ts';

type Query = { text: string; values: unknown[] };

/**
 * Watches the queries of an app whose text matches `about`. These queries must be read-only,
 * because each is run again under EXPLAIN. The returned function runs `work` and returns its
 * queries, each with the number of pages that it touches.
 */
export function watchQueries(
  t: TestApp,
  about: RegExp,
): (work: () => Promise<unknown>) => Promise<{ text: string; pages: number }[]> {
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
