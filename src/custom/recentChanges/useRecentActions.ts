import { useQuery } from '@tanstack/react-query'
import { currentAccount } from '../../session/currentUser.ts'
import { readActions } from '../../undo/changeDatabase.ts'

/** What the person changed in this browser and can take back, latest first. Read again when somebody comes back to the tab. */
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
