import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { useSetting } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { type SharedSnippet, terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'

const none: SharedSnippet[] = []

/** The snippets that everybody has; none on servers that keep no snippets. */
export function useSharedSnippets() {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  // The server that announces it has both.
  const isKept = useSetting()?.wheelhouse?.terminal_flow !== undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['snippets'],
    queryFn: () => call(terminalEndpoints.snippets),
    enabled: isKept,
  })
  /** @returns whether it was done; a failure is shown */
  const attempt = async (act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act()
      return true
    } catch (failure) {
      toast.showError(failure)
      return false
    } finally {
      await refetch()
    }
  }
  return {
    isKept,
    error,
    refetch,
    shared: data ?? none,
    saveShared: (snippet: { id?: number; name: string; text: string }) =>
      attempt(() => call(terminalEndpoints.saveSnippet, snippet)),
    removeShared: ({ id }: SharedSnippet) => attempt(() => call(terminalEndpoints.deleteSnippet, { id })),
  }
}
