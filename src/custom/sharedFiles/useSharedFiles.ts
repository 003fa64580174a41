import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../engine/parts/useToast.ts'
import { currentAccount } from '../../session/currentUser.ts'
import { discardShared, type SharedFile, sharedFiles } from '../../storage/sharedFiles.ts'

const none: readonly SharedFile[] = []

const queryKey = ['shared-files']

async function read(): Promise<readonly SharedFile[]> {
  const account = currentAccount()
  return account === undefined ? none : sharedFiles(account)
}

/** The files that other apps have shared with the installed console, until they are uploaded or discarded. */
export function useSharedFiles() {
  const { showError } = useToast()
  const queryClient = useQueryClient()
  const { data = none, isPending } = useQuery({ queryKey, queryFn: read, gcTime: 0, retry: false })
  return {
    files: data,
    isPending,
    /** Removes these; the others stay, such as those that were shared while these were uploaded. */
    async discard(some: readonly SharedFile[]): Promise<void> {
      try {
        await discardShared(some)
      } catch (error) {
        showError(error)
      }
      await queryClient.invalidateQueries({ queryKey })
    },
  }
}
