import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Visibility } from '#contract/rules/visibility.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** Saves who may see the player's name. Changes are sent one after another. */
export function useSaveVisibility() {
  const { updateProfile } = useAuth();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (visibility: Visibility) => updateProfile({ visibility }),
    // A pending read would store the old choice again.
    onMutate: () => client.cancelQueries({ queryKey: KEYS.profile }),
    scope: { id: 'visibility' },
    meta: { failure: 'Who sees the name was not changed.' },
  });
}
