import { useEffect, useState } from 'react';
import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import { getConfig, knownConfig } from '../api/config.ts';
import { useAuth } from './AuthProvider.tsx';

/** The installation's configuration; null until it is known. */
export function useConfig(): ConfigAnswer | null {
  const { api } = useAuth();
  const [config, setConfig] = useState(knownConfig);
  useEffect(() => {
    getConfig(api).then(setConfig, () => {
      // Without it, sign-in by password works, and the other pages have a default.
    });
  }, [api]);
  return config;
}
