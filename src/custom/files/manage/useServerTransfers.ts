import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useDataProvider, useEvent } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { fileTransferEndpoints } from '../../../schemas/endpoints/fileTransferEndpoints.ts'
import type { FileTransfer } from '../../../schemas/inspect/fileTransfers.ts'
import { pathText, type RawPath } from '../transfer/remotePath.ts'

/** Milliseconds. */
const pollMs = 1000
const queryKey = ['file-transfers']

export const isOpenTransfer = ({ state }: FileTransfer): boolean => state === 'waiting' || state === 'running'

/** Where files go on another machine. */
export interface Sending {
  to_server: number
  to: RawPath
  conflicts: 'refuse' | 'overwrite' | 'skip'
}

/**
 * What the server itself transfers for this person, from any page: it goes on when the page is left.
 * @param isKnown whether the server has such transfers
 * @param onArrived called when something has come to this machine
 */
export function useServerTransfers(serverId: number, isKnown: boolean, onArrived: () => void) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const queryClient = useQueryClient()
  const { data: transfers = [] } = useQuery({
    queryKey,
    queryFn: () => call(fileTransferEndpoints.fileTransfers, undefined),
    enabled: isKnown,
    refetchInterval: ({ state }) => (state.data?.some(isOpenTransfer) ? pollMs : false),
    gcTime: 0,
    retry: false,
  })
  const arriving = transfers.filter((one) => one.to_server_id === serverId && isOpenTransfer(one)).length
  const before = useRef(arriving)
  const arrived = useEvent(onArrived)
  useEffect(() => {
    if (arriving < before.current) arrived()
    before.current = arriving
  }, [arriving, arrived])

  /** @returns what the order gave, where it was taken */
  async function order<Given>(ask: () => Promise<Given>): Promise<Given | undefined> {
    try {
      return await ask()
    } catch (error) {
      showError(error)
      return undefined
    } finally {
      await queryClient.invalidateQueries({ queryKey })
    }
  }

  return {
    transfers,
    /** Downloads files and folders as one archive, by the browser itself: it needs no room in the page. */
    async archive(paths: readonly RawPath[]): Promise<void> {
      const input = { id: serverId, paths: paths.map(pathText), format: 'tar.gz' as const }
      const made = await order(() => call(fileTransferEndpoints.archiveFiles, input))
      if (!made) return
      const href = `/api/v1/wheelhouse/file-transfers/${encodeURIComponent(made.id)}/archive`
      Object.assign(document.createElement('a'), { href, download: '' }).click()
    },
    async send(paths: readonly RawPath[], { to, ...sending }: Sending): Promise<void> {
      const input = { id: serverId, paths: paths.map(pathText), to: pathText(to), ...sending }
      await order(() => call(fileTransferEndpoints.sendFiles, input))
    },
    async cancel({ id }: FileTransfer): Promise<void> {
      await order(() => call(fileTransferEndpoints.cancelFileTransfer, { transfer: id }))
    },
  }
}
