import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../engine/parts/useToast.ts'
import { discardShared, sharedFiles } from '../../storage/sharedFiles.ts'

const none: readonly File[] = []

const queryKey = ['shared-files']

/** The files that other apps have shared with the installed console, until they are uploaded or discarded. */
export function useSharedFiles() {
  const { showError } = useToast()
  const queryClient = useQueryClient()
  const { data = none, isPending } = useQuery({ queryKey, queryFn: () => sharedFiles(), gcTime: 0, retry: false })
  return {
    files: data,
    isPending,
    async discard(): Promise<void> {
      try {
        await discardShared()
      } catch (error) {
        showError(error)
      }
      await queryClient.invalidateQueries({ queryKey })
    },
  }
}
