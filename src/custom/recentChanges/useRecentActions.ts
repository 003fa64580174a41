import { useQuery } from '@tanstack/react-query'
import { currentAccount } from '../../session/currentUser.ts'
import { readActions } from '../../undo/changeDatabase.ts'

/** Changes made in this browser that can be taken back, latest first. Read again when the tab gets the focus. */
export function useRecentActions() {
  const account = currentAccount()
  return useQuery({
    queryKey: ['recentChanges', account],
    queryFn: () => readActions(account ?? ''),
    // It is in this browser: no network is needed, and other tabs write to it too.
    networkMode: 'always',
    refetchOnWindowFocus: 'always',
    refetchOnMount: 'always',
    gcTime: 0,
  })
}
