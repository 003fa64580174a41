import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileUploadEndpoints } from '../../../schemas/endpoints/fileUploadEndpoints.ts'
import { isUploadPartName, type LeftPart } from '../../../schemas/inspect/fileUploads.ts'
import type { OpenFolder } from '../transfer/useFolder.ts'
import { pathText } from './fileItems.ts'

const none: readonly LeftPart[] = []

/**
 * The parts of uploads in the open folder that nobody has gone on with for a while, whoever began them.
 * @param folder left out where the machine cannot say it. It is asked only about a folder that has parts
 */
export function useLeftParts(serverId: number, folder: OpenFolder | undefined): readonly LeftPart[] {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const entries = folder?.entries
  const parts = useMemo(
    () => (entries ?? []).filter(({ raw }) => isUploadPartName(raw)).map(({ raw }) => raw),
    [entries],
  )
  const query = useQuery({
    // Whenever the folder is read again and has others.
    queryKey: ['left-parts', serverId, folder?.path, parts],
    queryFn: async () =>
      (await call(fileUploadEndpoints.leftParts, { id: serverId, path: pathText(folder?.path ?? '/') })).items,
    enabled: parts.length > 0,
    gcTime: 0,
    retry: false,
  })
  return (parts.length > 0 && query.data) || none
}
