import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { serverDate } from '../../web/ui/server-clock.ts';
import { type Connection, follow } from '../api/live.ts';
import { ME, refresh } from '../api/queries.ts';

const ConnectionContext = createContext<Connection>({ live: false, heardAt: serverDate() });

/** Keeps the event stream open. An event refetches the queries that it makes stale. */
export function ConnectionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>({ live: true, heardAt: serverDate() });
  useEffect(
    () =>
      follow({
        onTopic: (topic) => refresh(client, topic),
        onConnection: setConnection,
        onGap: () => refresh(client),
        onRefused: () => void client.invalidateQueries({ queryKey: ME }),
      }),
    [client],
  );
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

export const useConnection = (): Connection => use(ConnectionContext);
